import {
  addTransactionCapability,
  DEFAULT_CONNECTION_CONFIG,
  initAuthCreds,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
} from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import { shortenSenderKeys } from "../../../../shard/whatsapp/keys/short-sender-keys.js";
import { installPublicKeyCrypto } from "../../../../shard/whatsapp/network/public-key-crypto.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";

const [group, authorJid] = ["120363000000000001@g.us", "111@lid"];

/** The library's own, over keys in memory; `stored` are the sender keys as they were written. */
function aMember(): { repository: SignalRepositoryWithLIDStore; stored: () => string } {
  const all = new Map<string, unknown>();
  const memory: SignalKeyStore = {
    get: async (type, ids) => Object.fromEntries(ids.flatMap((id) => (all.has(type + id) ? [[id, all.get(type + id)]] : []))) as never,
    set: async (data) => {
      for (const [type, values] of Object.entries(data)) for (const [id, value] of Object.entries(values)) all.set(type + id, value);
    },
  };
  const keys = addTransactionCapability(memory, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: initAuthCreds(), keys }, silentLogger, async () => []);
  const senderKeys = (): Uint8Array[] =>
    [...all].flatMap(([id, value]) => (id.startsWith("sender-key1") && value instanceof Uint8Array ? [value] : []));
  return {
    repository,
    stored: () =>
      senderKeys()
        .map((value) => Buffer.from(value).toString())
        .join(),
  };
}

async function sends(author: SignalRepositoryWithLIDStore, text: string) {
  return await author.encryptGroupMessage({ group, meId: authorJid, data: Buffer.from(text) });
}

async function reads(reader: SignalRepositoryWithLIDStore, msg: Uint8Array): Promise<string> {
  return Buffer.from(await reader.decryptGroupMessage({ group, authorJid, msg })).toString();
}

// The library signs for 8 ms each.
installPublicKeyCrypto();

const numbers = /\[\d+,\d+,/;

it("of the library are numbers, which are read, written anew as base64, and few; without the first, drop short-sender-keys.ts", async () => {
  const [author, reader] = [aMember(), aMember()];
  const first = await sends(author.repository, "one");
  const item = { groupId: group, axolotlSenderKeyDistributionMessage: first.senderKeyDistributionMessage };
  await reader.repository.processSenderKeyDistributionMessage({ item, authorJid });
  expect(await reads(reader.repository, first.ciphertext)).toBe("one");
  const before = [author.stored(), reader.stored()];
  for (const text of before) expect(text).toMatch(numbers);

  shortenSenderKeys();
  shortenSenderKeys();
  const texts = ["two", "three", "four", "five"];
  const messages: Uint8Array[] = [];
  for (const text of texts) messages.push((await sends(author.repository, text)).ciphertext);
  for (const n of [3, 0, 2, 1]) expect(await reads(reader.repository, messages[n] ?? Buffer.alloc(0))).toBe(texts[n]);
  for (const text of [author.stored(), reader.stored()]) expect(text).not.toMatch(numbers);
  expect(author.stored().length).toBeLessThan((before[0] ?? "").length);

  // The library leaves out every other key of the chain. The author has no use for them, and the reader keeps as many as it may need.
  const left = (stored: string): number[] => [...stored.matchAll(/"iteration":(\d+)/g)].slice(1).map(([, iteration]) => Number(iteration));
  expect(left(author.stored())).toEqual([]);
  expect(left(reader.stored())).toEqual([1, 3, 5, 7]);
  for (let n = 0; n < 110; n++) expect(await reads(reader.repository, (await sends(author.repository, `${n}`)).ciphertext)).toBe(`${n}`);
  expect(left(author.stored())).toEqual([]);
  expect(left(reader.stored())).toHaveLength(100);
});
