import {
  addTransactionCapability,
  DEFAULT_CONNECTION_CONFIG,
  initAuthCreds,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
} from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";
import { useSenderKeys } from "../../../../shard/whatsapp/sender-keys/group-cipher.js";
import { SenderKeys, type SenderKeyStore } from "../../../../shard/whatsapp/sender-keys/sender-keys.js";

const [group, authorJid] = ["120363000000000001@g.us", "111:4@lid"];
const name = `${group}::111_1::4`;

class Store implements SenderKeyStore {
  readonly stored = new Map<string, Uint8Array>();
  writes = 0;
  reads = 0;
  fails = false;
  async read(key: string): Promise<Uint8Array | undefined> {
    this.reads += 1;
    return this.stored.get(key);
  }
  async write(key: string, bytes: Uint8Array): Promise<void> {
    await Promise.resolve();
    if (this.fails) throw new Error("redis is away");
    this.writes += 1;
    this.stored.set(key, bytes);
  }
  async renew(key: string, _: string, bytes: Uint8Array): Promise<void> {
    await this.write(key, bytes);
  }
}

/** The library's own repository, whose sender keys are in `store`. */
function library(store: Store): SignalRepositoryWithLIDStore {
  const memory: SignalKeyStore = {
    get: async (type, ids) =>
      Object.fromEntries(ids.flatMap((id) => (type === "sender-key" && store.stored.has(id) ? [[id, store.stored.get(id)]] : []))) as never,
    set: async (data) => {
      for (const [id, bytes] of Object.entries(data["sender-key"] ?? {})) if (bytes) await store.write(id, bytes);
    },
  };
  const keys = addTransactionCapability(memory, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
  return DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: initAuthCreds(), keys }, silentLogger, async () => []);
}

/** The library with this repository's sender keys. */
function ours(store: Store, hasLeft: (group: string) => Promise<boolean> = async () => false): SignalRepositoryWithLIDStore {
  return useSenderKeys(library(new Store()), new SenderKeys(store), hasLeft);
}

async function writes(author: SignalRepositoryWithLIDStore, text: string) {
  return await author.encryptGroupMessage({ group, meId: authorJid, data: Buffer.from(text) });
}

async function meets(reader: SignalRepositoryWithLIDStore, distribution: Uint8Array): Promise<void> {
  await reader.processSenderKeyDistributionMessage({
    item: { groupId: group, axolotlSenderKeyDistributionMessage: distribution },
    authorJid,
  });
}

async function reads(reader: SignalRepositoryWithLIDStore, msg: Uint8Array): Promise<string> {
  return Buffer.from(await reader.decryptGroupMessage({ group, authorJid, msg })).toString();
}

/** Returns this many messages, written one after the other. */
async function several(author: SignalRepositoryWithLIDStore, count: number): Promise<Uint8Array[]> {
  const written: Uint8Array[] = [];
  for (let n = 0; n < count; n++) written.push((await writes(author, `${n}`)).ciphertext);
  return written;
}

/** The library's own reader cannot read an overtaken message after its key was stored. */
const [inOrder, inAnyOrder] = [
  [0, 2, 3, 4],
  [3, 0, 4, 2, 1],
];

describe.each([
  ["the library reads what we write", ours, library, inOrder],
  ["we read what the library writes", library, ours, inAnyOrder],
  ["we read what we write", ours, ours, inAnyOrder],
])("sender keys: %s", (_, author, reader, order) => {
  it("in the order in which they come, each message once", async () => {
    const [from, to] = [author(new Store()), reader(new Store())];
    const first = await writes(from, "first");
    await meets(to, first.senderKeyDistributionMessage);
    expect(await reads(to, first.ciphertext)).toBe("first");
    const written = await several(from, 5);
    for (const n of order) expect(await reads(to, written[n] ?? Buffer.alloc(0))).toBe(`${n}`);
    await expect(reads(to, written[2] ?? Buffer.alloc(0))).rejects.toThrow();
  });

  it("from where a member came in", async () => {
    const [from, to] = [author(new Store()), reader(new Store())];
    const [before] = await several(from, 3);
    await meets(to, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    const [after] = await several(from, 1);
    await expect(reads(to, before ?? Buffer.alloc(0))).rejects.toThrow();
    expect(await reads(to, after ?? Buffer.alloc(0))).toBe("0");
  });

  it("and nothing that the author did not sign", async () => {
    const [from, to] = [author(new Store()), reader(new Store())];
    const { ciphertext, senderKeyDistributionMessage } = await writes(from, "text");
    await meets(to, senderKeyDistributionMessage);
    for (const at of [1, 10, ciphertext.length - 70, ciphertext.length - 2]) {
      const forged = Buffer.from(ciphertext);
      forged[at] = (forged[at] ?? 0) ^ 1;
      await expect(reads(to, forged)).rejects.toThrow();
    }
    await expect(reads(to, ciphertext.subarray(0, 40))).rejects.toThrow();
    expect(await reads(to, ciphertext)).toBe("text");
  });
});

describe("an author's own sender key", () => {
  it("is stored once for many messages, and before the first of them", async () => {
    const store = new Store();
    const author = ours(store);
    store.fails = true;
    await expect(writes(author, "text")).rejects.toThrow("redis is away");
    store.fails = false;
    await several(author, 120);
    expect(store.writes).toBe(3);
    expect(await author.hasSenderKey({ group, meId: authorJid })).toBe(true);
    expect(await ours(new Store()).hasSenderKey({ group, meId: authorJid })).toBe(false);
  });

  it.each([
    ["by us", ours],
    ["by a former version", library],
  ])("encrypts no two messages alike when its process was killed and another one goes on, %s", async (_, next) => {
    const [store, to] = [new Store(), library(new Store())];
    await meets(to, (await writes(ours(store), "unread")).senderKeyDistributionMessage);
    for (const [generation, count] of [1, 49, 50, 51, 3].entries()) {
      const author = generation % 2 === 0 ? ours(store) : next(store);
      for (const [n, bytes] of (await several(author, count)).entries()) expect(await reads(to, bytes)).toBe(`${n}`);
    }
  });

  it("uses each place of the chain once, however many messages come at the same time, and none that is not stored", async () => {
    const [store, to] = [new Store(), ours(new Store())];
    const author = ours(store);
    await meets(to, await author.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    const written = await Promise.all(Array.from({ length: 130 }, (_, n) => writes(author, `${n}`)));
    for (const [n, { ciphertext }] of written.entries()) expect(await reads(to, ciphertext)).toBe(`${n}`);
    const [after] = await several(ours(store), 1);
    expect(await reads(to, after ?? Buffer.alloc(0))).toBe("0");
  });

  it("is not used past what is stored while nothing can be stored", async () => {
    const store = new Store();
    const author = ours(store);
    await several(author, 50);
    store.fails = true;
    await expect(writes(author, "text")).rejects.toThrow("redis is away");
    store.fails = false;
    expect((await writes(author, "text")).ciphertext.length).toBeGreaterThan(64);
  });
});

describe("the sender key of another author", () => {
  it("is stored when it comes, and seldom after that", async () => {
    const [from, store] = [library(new Store()), new Store()];
    const to = ours(store);
    await meets(to, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    expect(store.writes).toBe(1);
    // The library skips every other position of its chain.
    for (const [n, bytes] of (await several(from, 100)).entries()) expect(await reads(to, bytes)).toBe(`${n}`);
    expect(store.writes).toBeGreaterThanOrEqual(3);
    expect(store.writes).toBeLessThanOrEqual(5);
  });

  it("reads on when the reader was killed, what it had read and what had been overtaken too", async () => {
    const [from, store] = [library(new Store()), new Store()];
    let to = ours(store);
    await meets(to, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    const written = await several(from, 200);
    for (const [n, bytes] of written.entries()) {
      if (n % 37 === 36) to = ours(store);
      if (n % 10 === 5) continue;
      expect(await reads(to, bytes)).toBe(`${n}`);
      const overtaken = n - 3;
      if (overtaken % 10 === 5) expect(await reads(to, written[overtaken] ?? Buffer.alloc(0))).toBe(`${overtaken}`);
    }
  });

  it("reads a message again if it could not be kept, with every state that is stored", async () => {
    const [from, store] = [ours(new Store()), new Store()];
    const to = new SenderKeys(store);
    await to.learn(name, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    const away = (): Promise<void> => Promise.reject(new Error("redis is away"));
    for (const [n, bytes] of (await several(from, 130)).entries()) {
      await expect(to.decrypt(name, bytes, away)).rejects.toThrow("redis is away");
      for (const reader of [new SenderKeys(store), to]) expect((await reader.decrypt(name, bytes)).toString()).toBe(`${n}`);
      await expect(to.decrypt(name, bytes)).rejects.toThrow("was read before");
    }
    expect(store.writes).toBeGreaterThanOrEqual(2);
  });

  it("reads on while nothing can be stored, until the stored place is of no use", async () => {
    const [from, store] = [ours(new Store()), new Store()];
    const to = ours(store);
    await meets(to, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    store.fails = true;
    const written = await several(from, 1_010);
    for (const [n, bytes] of written.slice(0, 999).entries()) expect(await reads(to, bytes)).toBe(`${n}`);
    await expect(reads(to, written.at(-1) ?? Buffer.alloc(0))).rejects.toThrow("redis is away");
    store.fails = false;
    const [later] = await several(from, 1);
    expect(await reads(ours(store), later ?? Buffer.alloc(0))).toBe("0");
  });

  it("is stored again after its author reset it, and kept when it is only sent again", async () => {
    const [authorStore, to] = [new Store(), ours(new Store())];
    const from = library(authorStore);
    const given = await from.getSenderKeyDistributionMessage({ group, meId: authorJid });
    const early = new Map(authorStore.stored);
    await meets(to, given);
    const [one, two, three] = await several(from, 3);
    expect(await reads(to, three ?? Buffer.alloc(0))).toBe("2");
    await meets(to, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    expect(await reads(to, one ?? Buffer.alloc(0))).toBe("0");
    expect(await reads(to, two ?? Buffer.alloc(0))).toBe("1");
    // The author's process was killed and continues from its stored state.
    authorStore.stored.clear();
    for (const [key, bytes] of early) authorStore.stored.set(key, bytes);
    const again = await writes(library(authorStore), "again");
    await expect(reads(to, again.ciphertext)).rejects.toThrow();
    await meets(to, again.senderKeyDistributionMessage);
    expect(await reads(to, again.ciphertext)).toBe("again");
  });

  it("lasts for five keys, the oldest goes first", async () => {
    const to = ours(new Store());
    const written: Uint8Array[] = [];
    for (let device = 0; device < 6; device++) {
      const { ciphertext, senderKeyDistributionMessage } = await writes(library(new Store()), `${device}`);
      await meets(to, senderKeyDistributionMessage);
      written.push(ciphertext);
    }
    await expect(reads(to, written[0] ?? Buffer.alloc(0))).rejects.toThrow();
    for (let device = 1; device < 6; device++) expect(await reads(to, written[device] ?? Buffer.alloc(0))).toBe(`${device}`);
  });

  it("is read as a former version has stored it, with the messages that it left out", async () => {
    const [from, store] = [library(new Store()), new Store()];
    const former = library(store);
    await meets(former, await from.getSenderKeyDistributionMessage({ group, meId: authorJid }));
    const [one, two, three] = await several(from, 3);
    expect(await reads(former, two ?? Buffer.alloc(0))).toBe("1");
    const to = ours(store);
    expect(await reads(to, one ?? Buffer.alloc(0))).toBe("0");
    expect(await reads(to, three ?? Buffer.alloc(0))).toBe("2");
    expect([...store.stored.keys()]).toEqual([name]);
  });

  it("refuses one that is cut off", async () => {
    const given = await library(new Store()).getSenderKeyDistributionMessage({ group, meId: authorJid });
    for (const length of [0, 1, 10, 40]) await expect(meets(ours(new Store()), given.subarray(0, length))).rejects.toThrow();
  });
});

it("the library still stores a sender key with each message: without that, drop sender-keys/", async () => {
  const store = new Store();
  const author = library(store);
  await several(author, 1);
  const first = store.writes;
  await several(author, 10);
  expect(store.writes).toBe(first + 10);
});
