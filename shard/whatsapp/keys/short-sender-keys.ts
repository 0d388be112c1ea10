import { SenderKeyRecord, type SenderKeyStateStructure } from "@whiskeysockets/baileys/lib/Signal/Group/sender-key-record.js";

/**
 * Each message of a group reads and writes a sender key, and the library makes it long. Its bytes are decimal numbers: as base64 they are read by the library's own reader, a former version's
 * too, and what is stored as numbers is read as before. And the library uses every other key of a chain, and keeps what it left out, up to 2,000, at the author and at each reader: its author
 * never reads with them, and a reader keeps the newest. Process-wide; a second call changes nothing.
 */
export function shortenSenderKeys(): void {
  Object.assign(SenderKeyRecord.prototype, { serialize });
}

/** Looked up by name, so that nothing is bound to a record here. */
const byItself = Object.getOwnPropertyDescriptor(SenderKeyRecord.prototype, "serialize")?.value as (
  this: SenderKeyRecord,
) => SenderKeyStateStructure[];

function serialize(this: SenderKeyRecord): object[] {
  return byItself.call(this).map(({ senderChainKey, senderSigningKey, senderMessageKeys, ...rest }) => ({
    ...rest,
    senderChainKey: { ...senderChainKey, seed: short(senderChainKey.seed) },
    senderSigningKey: { public: short(senderSigningKey.public), private: short(senderSigningKey.private ?? []) },
    senderMessageKeys: keptOf(senderMessageKeys, senderSigningKey).map((key) => ({ ...key, seed: short(key.seed) })),
  }));
}

/** For messages that others have overtaken. An older one is asked for again, as any that cannot be read. */
const keptMost = 100;

function keptOf<K>(keys: readonly K[], { private: own }: SenderKeyStateStructure["senderSigningKey"]): readonly K[] {
  return Buffer.from(own ?? []).length > 0 ? [] : keys.slice(-keptMost);
}

/** As the library writes bytes elsewhere. What it read as numbers it leaves as it was read, which `Buffer.from` takes. */
function short(bytes: Uint8Array | readonly number[]): object {
  return { type: "Buffer", data: Buffer.from(bytes).toString("base64") };
}
