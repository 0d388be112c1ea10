import { proto, type SignalDataSet } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { FencedError } from "../../../../../shared/redis/script.js";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import type { Incoming } from "../../../../../shard/whatsapp/events/incoming.js";
import { CiphertextStanzas, keepMessages } from "../../../../../shard/whatsapp/events/keep-messages.js";
import { KeyTransactions } from "../../../../../shard/whatsapp/keys/key-transactions.js";
import type { GroupMessage } from "../../../../../shard/whatsapp/sender-keys/group-cipher.js";
import { SessionsAway } from "../../../../../shard/whatsapp/signal-sessions/signal-sessions.js";
import type { PersonalMessage } from "../../../../../shard/whatsapp/signal-sessions/use-signal-sessions.js";
import { ann, enc, group, messageNode } from "./events-under-test.js";

const padded = (message: proto.IMessage): Buffer => Buffer.concat([proto.Message.encode(message).finish(), Buffer.from([1])]);
const event: UpdateEvent = { id: "e1", type: "message.new", created: "", data: {} };
const ciphertext = Buffer.from("ciphertext");
const key = { session: { [ann]: new Uint8Array([1]) } };

/** Returns a connection whose library decrypts to `text`, and what it stored. */
function aConnection(text: () => Promise<Uint8Array> = () => Promise.resolve(padded({ conversation: "hi" }))) {
  const writes: { keys: SignalDataSet; events: readonly string[] }[] = [];
  const calls = { arrived: 0, failed: [] as unknown[], ended: [] as unknown[], texts: [] as (string | null | undefined)[] };
  const errors: { store?: Error; events?: Error; failed?: Error } = {};
  let isKnown = false;
  const store = {
    get: () => Promise.resolve({}),
    set: async (keys: SignalDataSet, events: readonly UpdateEvent[] = []) => {
      await Promise.resolve();
      if (errors.store !== undefined) throw errors.store;
      writes.push({ keys: structuredClone(keys), events: events.map(({ id }) => id) });
    },
  };
  const incoming = {
    eventsOf: (_: unknown, message: proto.IMessage) => {
      calls.texts.push(message.conversation);
      if (errors.events !== undefined) return Promise.reject(errors.events);
      return Promise.resolve(message.conversation === "hi" ? [event] : []);
    },
    arrived: () => Promise.resolve(void (calls.arrived += 1)),
    failed: (_: unknown, error: unknown) => {
      calls.failed.push(error);
      return errors.failed === undefined ? Promise.resolve(isKnown) : Promise.reject(errors.failed);
    },
  } as unknown as Incoming;
  const stanzas = new CiphertextStanzas((error) => calls.ended.push(error));
  const decryptMessage = async ({ read = async () => [] }: PersonalMessage): Promise<Uint8Array> => {
    const padded = await text();
    await store.set(key, await read(padded));
    return padded;
  };
  const decryptGroupMessage = async ({ keep }: GroupMessage): Promise<Uint8Array> => {
    const read = await text();
    await keep?.(read);
    return read;
  };
  const library: Parameters<typeof keepMessages>[0] = { decryptMessage, decryptGroupMessage };
  const repository = keepMessages(library, stanzas, incoming, new KeyTransactions(store));
  stanzas.add(messageNode({}, [enc(ciphertext)]));
  return {
    ...{ writes, calls, errors, stanzas },
    knows: () => (isKnown = true),
    read: (bytes: Uint8Array = ciphertext) => repository.decryptMessage({ jid: ann, type: "msg", ciphertext: bytes }),
    readGroup: (bytes: Uint8Array = ciphertext) => repository.decryptGroupMessage({ group, authorJid: ann, msg: bytes }),
  };
}

describe("a message that is read", () => {
  it("has its events stored in the same write as its keys, before the library goes on", async () => {
    const { read, writes, calls } = aConnection();
    expect(await read()).toEqual(padded({ conversation: "hi" }));
    expect(writes).toEqual([{ keys: key, events: ["e1"] }]);
    expect(calls).toMatchObject({ arrived: 1, failed: [], ended: [] });
  });

  it("of a group has its events stored", async () => {
    const { readGroup, writes, calls } = aConnection();
    expect(await readGroup()).toEqual(padded({ conversation: "hi" }));
    expect(writes).toEqual([{ keys: {}, events: ["e1"] }]);
    expect(calls).toMatchObject({ arrived: 1, failed: [], ended: [] });
  });

  it("without events stores its keys alone", async () => {
    const { read, writes } = aConnection(() => Promise.resolve(padded({ conversation: "silent" })));
    await read();
    expect(writes).toEqual([{ keys: key, events: [] }]);
  });

  it("whose stanza gives no event is left to the library", async () => {
    const { read, readGroup, writes, calls } = aConnection();
    for (const decrypt of [read, readGroup]) expect(await decrypt(Buffer.from("other"))).toEqual(padded({ conversation: "hi" }));
    expect(writes).toEqual([{ keys: key, events: [] }]);
    expect(calls).toMatchObject({ arrived: 0, texts: [] });
  });
});

describe("a message whose events cannot be stored", () => {
  it.each(["read", "readGroup"] as const)("ends the connection, so that it is delivered again: %s", async (name) => {
    const { errors, calls, writes, ...connection } = aConnection();
    errors.store = new Error("redis is away");
    await expect(connection[name]()).rejects.toThrow("redis is away");
    expect(calls).toMatchObject({ arrived: 0, ended: [errors.store], failed: [] });
    expect(writes).toEqual([]);
  });

  it("ends the connection if the store fails before the decryption, instead of requesting the message again", async () => {
    const cause = new Error("redis is away");
    const { calls, read } = aConnection(() => Promise.reject(new SessionsAway(cause)));
    await expect(read()).rejects.toBe(cause);
    expect(calls).toMatchObject({ arrived: 0, ended: [cause], failed: [] });
    await expect(read()).rejects.toThrow();
    expect(calls.failed).toEqual([]);
  });

  it.each(["read", "readGroup"] as const)("ends the connection if they cannot be made: %s", async (name) => {
    const { errors, calls, writes, ...connection } = aConnection();
    errors.events = new FencedError();
    await expect(connection[name]()).rejects.toBe(errors.events);
    expect(calls.ended).toEqual([errors.events]);
    expect(writes).toEqual([]);
  });
});

describe("a message that cannot be decrypted", () => {
  const failing = (): Promise<Uint8Array> => Promise.reject(new Error("Bad MAC"));

  it.each(["read", "readGroup"] as const)("fails for the library, and the connection goes on: %s", async (name) => {
    const { calls, writes, ...connection } = aConnection(failing);
    await expect(connection[name]()).rejects.toThrow("Bad MAC");
    expect(calls).toMatchObject({ arrived: 0, failed: [new Error("Bad MAC")], ended: [] });
    expect(writes).toEqual([]);
  });

  it.each(["read", "readGroup"] as const)("is an empty one if its events are stored already: %s", async (name) => {
    const { knows, calls, ...connection } = aConnection(failing);
    knows();
    const bytes = await connection[name]();
    expect(proto.Message.decode(bytes.subarray(0, bytes.length - (bytes.at(-1) ?? 0)))).toEqual(proto.Message.create());
    expect(calls.ended).toEqual([]);
  });

  it("is an empty one if it only repeats a group's key that was read before", async () => {
    const used = Object.assign(new Error("Key used already or never filled"), { name: "MessageCounterError" });
    const { stanzas, calls, read } = aConnection(() => Promise.reject(used));
    const [own, ofGroup] = [Buffer.from("own"), { tag: "enc", attrs: { type: "skmsg" }, content: Buffer.from("group") }];
    stanzas.add(messageNode({ from: group }, [enc(own), ofGroup]));
    expect(await read(own)).toEqual(Buffer.from([1]));
    expect(calls.failed).toEqual([]);
    await expect(read()).rejects.toThrow("the message was decrypted before, but has no event");
  });

  it("ends the connection if it cannot be noted", async () => {
    const { errors, calls, read } = aConnection(failing);
    errors.failed = new Error("redis is away");
    await expect(read()).rejects.toThrow("redis is away");
    expect(calls.ended).toEqual([errors.failed]);
  });

  it.each([
    ["no padding", Buffer.alloc(0)],
    ["more padding than text", Buffer.from([0, 200])],
    ["no message", Buffer.from([0xff, 0xff, 0xff, 1])],
  ])("does not end the connection for bytes that its sender chose: %s", async (_, bytes) => {
    for (const name of ["read", "readGroup"] as const) {
      const { calls, writes, ...connection } = aConnection(() => Promise.resolve(bytes));
      await connection[name]().catch(() => undefined);
      expect(calls.ended).toEqual([]);
      expect(writes.flatMap(({ events }) => events)).toEqual([]);
    }
  });
});

describe("ciphertexts", () => {
  it("belong to their stanza, all of them", () => {
    const stanzas = new CiphertextStanzas(() => undefined);
    const [one, other] = [Buffer.from("1"), Buffer.from("2")];
    const stanza = messageNode({}, [enc(one), { tag: "device-identity", attrs: {}, content: Buffer.from("3") }, enc(other)]);
    stanzas.add(stanza);
    stanzas.add(messageNode({}, [{ tag: "enc", attrs: {} }]));
    stanzas.add({ tag: "message", attrs: {} });
    expect([stanzas.of(one), stanzas.of(other), stanzas.of(Buffer.from("1"))]).toEqual([stanza, stanza, undefined]);
  });
});
