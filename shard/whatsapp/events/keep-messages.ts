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
 * Makes a connection store the events of a message in the same write as the keys that its decryption changed. The library confirms each
 * message after its decryption, so `onFailure` must end the connection: then the platform delivers the message again.
 */
export function keepMessages<R extends Cipher>(
  repository: R,
  stanzas: CiphertextStanzas,
  incoming: Incoming,
  transactions: Pick<KeyTransactions, "transaction" | "append">,
  onFailure: (error: unknown) => void,
): R {
  const decrypt = repository.decryptMessage.bind(repository);
  const decryptGroup = repository.decryptGroupMessage.bind(repository);
  const orEnd = async <T>(storing: Promise<T>): Promise<T> => {
    try {
      return await storing;
    } catch (error) {
      onFailure(error);
      throw error;
    }
  };
  const keep = async (node: BinaryNode, padded: Uint8Array): Promise<void> => {
    const message = proto.Message.decode(unpadRandomMax16(padded));
    const events = await orEnd(incoming.eventsOf(node, message));
    if (events.length > 0) await orEnd(transactions.append(events));
  };
  const kept = async (node: BinaryNode, read: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    try {
      const padded = await read();
      incoming.arrived(node);
      return padded;
    } catch (error) {
      // The library confirms an empty message. Its events are stored already: it was delivered again.
      if (await orEnd(incoming.failed(node, error))) return emptyMessage;
      throw error;
    }
  };
  repository.decryptMessage = async (message) => {
    const node = stanzas.of(message.ciphertext);
    if (node === undefined) return await decrypt(message);
    return await kept(node, async () => {
      let isRead = false;
      try {
        // The library runs the decryption in a transaction of this name, which joins this one.
        return await transactions.transaction(async () => {
          const padded = await decrypt(message);
          await keep(node, padded);
          isRead = true;
          return padded;
        }, message.jid);
      } catch (error) {
        if (isRead) onFailure(error);
        throw error;
      }
    });
  };
  repository.decryptGroupMessage = async (message) => {
    const node = stanzas.of(message.msg);
    if (node === undefined) return await decryptGroup(message);
    return await kept(node, async () => {
      // The stored key stays behind the last messages, so after a crash this message can be decrypted again.
      const padded = await decryptGroup(message);
      await keep(node, padded);
      return padded;
    });
  };
  return repository;
}

/** One byte of padding. */
const emptyMessage = Buffer.from([1]);
