import {
  getAllBinaryNodeChildren,
  unpadRandomMax16,
  proto,
  type BinaryNode,
  type SignalRepositoryWithLIDStore,
} from "@whiskeysockets/baileys";
import type { KeyTransactions } from "../keys/key-transactions.js";
import { ConnectionLost } from "../network/connection-error.js";
import type { GroupMessage } from "../sender-keys/group-cipher.js";
import { SessionsAway } from "../signal-sessions/signal-sessions.js";
import type { PersonalMessage } from "../signal-sessions/use-signal-sessions.js";
import type { Incoming } from "./incoming.js";

type Cipher = Pick<SignalRepositoryWithLIDStore, "decryptMessage" | "decryptGroupMessage">;

/**
 * The messages of one connection that are about to be decrypted, by their ciphertexts: the library's decryption does not get the stanza.
 * After a failure to store, no later message is decrypted on the connection: the platform delivers all again, in their order.
 */
export class CiphertextStanzas {
  private readonly stanzas = new WeakMap<Uint8Array, BinaryNode>();
  private failure: ConnectionLost | undefined;

  /** `onFailure` must end the connection at once, before the library confirms the message or requests it again. */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  add(node: BinaryNode): void {
    for (const { tag, content } of getAllBinaryNodeChildren(node))
      if (tag === "enc" && content instanceof Uint8Array) this.stanzas.set(content, node);
  }

  /** Throws after a failure. */
  of(ciphertext: Uint8Array): BinaryNode | undefined {
    if (this.failure !== undefined) throw this.failure;
    return this.stanzas.get(ciphertext);
  }

  failed(error: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = new ConnectionLost(undefined, error);
    // A connection that is closing already needs no end.
    if (!(error instanceof ConnectionLost)) this.onFailure(error);
  }
}

/**
 * Makes a connection store the events of a message in the same write as the keys that its decryption changed. The library confirms a
 * message after its decryption, so the platform delivers a message again until its events are stored.
 */
export function keepMessages<R extends Cipher>(
  repository: R,
  stanzas: CiphertextStanzas,
  incoming: Incoming,
  transactions: Pick<KeyTransactions, "append">,
): R {
  const decrypt = repository.decryptMessage.bind(repository);
  const decryptGroup = repository.decryptGroupMessage.bind(repository);
  const keep = async (node: BinaryNode, content: proto.IMessage): Promise<void> => {
    const events = await incoming.eventsOf(node, content);
    if (events.length > 0) await transactions.append(events);
  };
  /** Runs a decryption, which calls `read` when it has the content: from then on, only storing can fail. */
  const kept = async (node: BinaryNode, work: (read: (padded: Uint8Array) => proto.IMessage) => Promise<Uint8Array>): Promise<Buffer> => {
    let isRead = false;
    const read = (padded: Uint8Array): proto.IMessage => {
      const content = proto.Message.decode(unpadRandomMax16(padded));
      isRead = true;
      return content;
    };
    try {
      const padded = await work(read);
      await incoming.arrived(node);
      return Buffer.from(padded);
    } catch (error) {
      const isAway = error instanceof SessionsAway;
      if (!isRead && !isAway) return await replacement(node, error);
      const reason = isAway ? error.cause : error;
      stanzas.failed(reason);
      throw reason;
    }
  };
  /** Replaces a message whose events are stored already by an empty one, so that the library confirms it. */
  const replacement = async (node: BinaryNode, error: unknown): Promise<Buffer> => {
    // The part with the group's key was read before. Whether the message itself can be read depends on its other part.
    if (isUsedKey(error) && hasGroupPart(node)) return emptyMessage;
    let isKnown: boolean;
    try {
      isKnown = await incoming.failed(node, error);
    } catch (failure) {
      stanzas.failed(failure);
      throw failure;
    }
    if (isKnown) return emptyMessage;
    // The library requests no copy of a message whose key was used. Its event is missing, so a copy is needed.
    throw isUsedKey(error) ? new Error("the message was decrypted before, but has no event") : error;
  };
  repository.decryptMessage = async (message) => {
    const node = stanzas.of(message.ciphertext);
    if (node === undefined) return await decrypt(message);
    return await kept(node, async (read) => {
      const given: PersonalMessage = { ...message, read: (padded) => incoming.eventsOf(node, read(padded)) };
      return await decrypt(given);
    });
  };
  repository.decryptGroupMessage = async (message) => {
    const node = stanzas.of(message.msg);
    if (node === undefined) return await decryptGroup(message);
    return await kept(node, async (read) => {
      // The stored key does not count the message as read before its events are stored.
      const given: GroupMessage = { ...message, keep: (padded) => keep(node, read(padded)) };
      return await decryptGroup(given);
    });
  };
  return repository;
}

function isUsedKey(error: unknown): boolean {
  return error instanceof Error && error.name === "MessageCounterError";
}

function hasGroupPart(node: BinaryNode): boolean {
  return getAllBinaryNodeChildren(node).some(({ tag, attrs }) => tag === "enc" && attrs["type"] === "skmsg");
}

/** One byte of padding. */
const emptyMessage = Buffer.from([1]);
