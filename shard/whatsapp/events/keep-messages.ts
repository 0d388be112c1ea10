import {
  getAllBinaryNodeChildren,
  unpadRandomMax16,
  proto,
  type BinaryNode,
  type SignalRepositoryWithLIDStore,
} from "@whiskeysockets/baileys";
import type { KeyTransactions } from "../keys/key-transactions.js";
import type { Incoming } from "./incoming.js";

type Cipher = Pick<SignalRepositoryWithLIDStore, "decryptMessage" | "decryptGroupMessage">;

/** The stanzas of messages that are about to be decrypted, by their ciphertexts: the library's decryption does not get the stanza. */
export class CiphertextStanzas {
  private readonly stanzas = new WeakMap<Uint8Array, BinaryNode>();

  add(node: BinaryNode): void {
    for (const { tag, content } of getAllBinaryNodeChildren(node))
      if (tag === "enc" && content instanceof Uint8Array) this.stanzas.set(content, node);
  }

  of(ciphertext: Uint8Array): BinaryNode | undefined {
    return this.stanzas.get(ciphertext);
  }
}

/**
 * Makes a connection store the events of a message in the same write as the keys that its decryption changed. The library confirms a message
 * after its decryption, so the platform delivers a message again until its events are stored.
 */
export function keepMessages<R extends Cipher>(
  repository: R,
  stanzas: CiphertextStanzas,
  incoming: Incoming,
  transactions: Pick<KeyTransactions, "transaction" | "append">,
): R {
  const decrypt = repository.decryptMessage.bind(repository);
  const decryptGroup = repository.decryptGroupMessage.bind(repository);
  const keep = async (node: BinaryNode, padded: Uint8Array): Promise<void> => {
    const events = await incoming.eventsOf(node, proto.Message.decode(unpadRandomMax16(padded)));
    if (events.length > 0) await transactions.append(events);
  };
  repository.decryptMessage = async (message) => {
    const node = stanzas.of(message.ciphertext);
    if (node === undefined) return await decrypt(message);
    try {
      // The library runs the decryption in a transaction of this name, which joins this one.
      const padded = await transactions.transaction(async () => {
        const text = await decrypt(message);
        await keep(node, text);
        return text;
      }, message.jid);
      incoming.arrived(node);
      return padded;
    } catch (error) {
      return await replacement(incoming, node, error);
    }
  };
  repository.decryptGroupMessage = async (message) => {
    const node = stanzas.of(message.msg);
    if (node === undefined) return await decryptGroup(message);
    try {
      // The stored key stays behind the last messages, so after a crash this message can be decrypted again.
      const padded = await decryptGroup(message);
      await keep(node, padded);
      incoming.arrived(node);
      return padded;
    } catch (error) {
      return await replacement(incoming, node, error);
    }
  };
  return repository;
}

/** A message that was delivered again and whose events are stored is replaced by an empty one, so that the library confirms it. */
async function replacement(incoming: Incoming, node: BinaryNode, error: unknown): Promise<Buffer> {
  if (await incoming.failed(node, error)) return emptyMessage;
  throw error;
}

/** One byte of padding. */
const emptyMessage = Buffer.from([1]);
