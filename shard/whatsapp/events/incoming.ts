import { getBinaryNodeChild, isJidStatusBroadcast, proto, type BinaryNode } from "@whiskeysockets/baileys";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import { FencedError } from "../../../shared/redis/script.js";
import type { UpdateEvent, UpdateLog } from "../../session/session-context.js";
import { userJid } from "../jid.js";
import { ConnectionLost } from "../network/connection-error.js";
import { readStanza, stanzaOf, type IncomingStanza, type OwnJids } from "./incoming-stanza.js";
import type { MessageEvents } from "./message-events.js";
import type { NoticeEvents } from "./notice-events.js";
import type { UnreadableMessages } from "./unreadable-messages.js";

type Requested = ReadonlySet<EventType>;

export interface IncomingOptions {
  readonly me: () => OwnJids;
  readonly requested: () => Requested | Promise<Requested>;
  readonly updates: Pick<UpdateLog, "seen">;
  readonly messages: MessageEvents;
  readonly notices: NoticeEvents;
  readonly unreadable: UnreadableMessages;
  /** True if the session keeps a history of its messages, whatever its receiver gets. */
  readonly keepsHistory: boolean;
}

/**
 * Decides which events the stanzas of one account give its receiver and its history. Stores nothing itself but the list of unreadable
 * messages.
 */
export class Incoming {
  /** Messages that the phone sent again, by the stanza that contains them. */
  private readonly again = new WeakMap<BinaryNode, readonly IncomingStanza[]>();

  constructor(private readonly options: IncomingOptions) {}

  /** False if the message surely gives no event, so that it costs nothing. Sync, because the library decrypts at once. */
  concerns(node: BinaryNode): boolean {
    if (this.options.keepsHistory && !isJidStatusBroadcast(node.attrs["from"] ?? "")) return true;
    const requested = this.options.requested();
    if (requested instanceof Promise) {
      requested.catch(() => undefined);
      return true;
    }
    if (requested.size === 0) return false;
    const { from = "", category } = node.attrs;
    // The phone sends messages of any chat again.
    if (category === "peer") return true;
    if (from.endsWith("@g.us")) return groupTypes.some((type) => requested.has(type));
    if (from.endsWith("@newsletter")) return requested.has("channel.message.new");
    return privateTypes.some((type) => requested.has(type));
  }

  /** Returns the events of a decrypted message. */
  async eventsOf(node: BinaryNode, message: proto.IMessage): Promise<UpdateEvent[]> {
    const { messages } = this.options;
    const requested = await this.options.requested();
    if (node.attrs["category"] === "peer") return await this.resent(node, message, requested);
    const stanza = this.stanza(node);
    return stanza === undefined ? [] : await messages.of(stanza, message, requested);
  }

  /** Called when a message was decrypted and its events are stored. */
  async arrived(node: BinaryNode): Promise<void> {
    if (this.options.unreadable.isEmpty) return;
    const stanza = this.stanza(node);
    const arrived = stanza === undefined ? (this.again.get(node) ?? []) : [stanza];
    for (const one of arrived) await this.options.unreadable.arrived(one);
  }

  /**
   * Called when a message cannot be decrypted. Returns true if its events are stored already. Otherwise the message waits for its sender to
   * send it again, and is reported without content after a while. Rejects if that cannot be stored, and if the session is leaving.
   */
  async failed(node: BinaryNode, error: unknown): Promise<boolean> {
    const stanza = this.stanza(node);
    if (error instanceof FencedError || error instanceof ConnectionLost) throw error;
    if (stanza === undefined) return false;
    if (await this.options.updates.seen(this.options.messages.idOf(stanza))) return true;
    await this.options.unreadable.add(stanza);
    return false;
  }

  /**
   * Returns the events to store before the library handles a stanza that needs no decryption; `undefined` if there can be none.
   */
  eventsBefore(node: BinaryNode): Promise<UpdateEvent[]> | undefined {
    const { notices } = this.options;
    const requested = this.options.requested();
    const isKept = this.options.keepsHistory && concernsHistory(node);
    if (!isKept && !(requested instanceof Promise) && requested.size === 0) return undefined;
    const events = (of: (types: Requested) => Promise<UpdateEvent[]>): Promise<UpdateEvent[]> => Promise.resolve(requested).then(of);
    switch (node.tag) {
      case "receipt":
        return events((types) => notices.ofReceipt(node, this.options.me(), types));
      case "call":
        return events((types) => notices.ofCall(node, types));
      case "notification":
        return node.attrs["type"] === "w:gp2" ? events((types) => notices.ofGroupNotice(node, types)) : undefined;
      case "message":
        return getBinaryNodeChild(node, "enc") === undefined ? events((types) => this.ofPlain(node, types)) : undefined;
      default:
        return undefined;
    }
  }

  refusalEvents(node: BinaryNode): Promise<UpdateEvent[]> {
    return Promise.resolve(this.options.requested()).then((types) => this.options.notices.ofRefusal(node, types));
  }

  /** A message without ciphertext: a channel's post, or a placeholder for what only the phone can read. */
  private async ofPlain(node: BinaryNode, requested: Requested): Promise<UpdateEvent[]> {
    const stanza = this.stanza(node);
    if (stanza === undefined) return [];
    const plain = getBinaryNodeChild(node, "plaintext")?.content;
    const { messages } = this.options;
    if (plain instanceof Uint8Array) {
      const message = decoded(() => proto.Message.decode(plain));
      // An error would end the connection, and the platform would deliver the same bytes again.
      return message === undefined ? await messages.unreadable(stanza, requested) : await messages.of(stanza, message, requested);
    }
    const unavailable = getBinaryNodeChild(node, "unavailable")?.attrs["type"];
    if (unavailable?.startsWith("view_once") === true) return await messages.unreadable(stanza, requested, true);
    if (this.concerns(node)) await this.options.unreadable.add(stanza);
    return [];
  }

  /** The account's phone sends messages again that this device could not read. Only the account itself may do so. */
  private async resent(node: BinaryNode, message: proto.IMessage, requested: Requested): Promise<UpdateEvent[]> {
    const { me, messages } = this.options;
    const from = userJid(node.attrs["from"] ?? "");
    if (from === "" || ![me().id, me().lid].some((jid) => userJid(jid) === from)) return [];
    const results = message.protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
    const events: UpdateEvent[] = [];
    const arrived: IncomingStanza[] = [];
    for (const { placeholderMessageResendResponse } of results) {
      const bytes = placeholderMessageResendResponse?.webMessageInfoBytes;
      if (!bytes) continue;
      const info = decoded(() => proto.WebMessageInfo.decode(bytes));
      const stanza = info && this.resentStanza(info);
      if (stanza === undefined || !info?.message) continue;
      events.push(...(await messages.of(stanza, info.message, requested)));
      arrived.push(stanza);
    }
    this.again.set(node, arrived);
    return events;
  }

  private resentStanza({ key, participant, messageTimestamp, pushName }: proto.IWebMessageInfo): IncomingStanza | undefined {
    const { me } = this.options;
    const chat = key?.remoteJid ?? "";
    const fromMe = key?.fromMe === true;
    const author = key?.participant ?? participant ?? (fromMe ? ownJid(me(), chat) : chat);
    const at = Number(messageTimestamp ?? 0);
    // The phone has checked the author's right itself.
    const asAdmin = true;
    return stanzaOf({ id: key?.id ?? "", chat, author, fromMe, at, pushName: pushName ?? "", otherJid: "", username: "", asAdmin });
  }

  private stanza(node: BinaryNode): IncomingStanza | undefined {
    return readStanza(node, this.options.me());
  }
}

/** True for posts of channels, for placeholders, and for what the account did on another device: only these receipts name a recipient. */
function concernsHistory({ tag, attrs }: BinaryNode): boolean {
  return tag === "message" || (tag === "receipt" && attrs["recipient"] !== undefined);
}

/** Returns `undefined` for bytes that do not decode. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** The JID under which the account writes into this chat. */
function ownJid(me: OwnJids, chat: string): string {
  return chat.endsWith("@lid") ? me.lid : me.id;
}

const privateTypes = ["message.new", "message.edited", "message.deleted", "message.reaction", "poll.vote"] as const;
const groupTypes = ["group.message.new", "group.message.edited", "group.message.deleted", "message.reaction", "poll.vote"] as const;
