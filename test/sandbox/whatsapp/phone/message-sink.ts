import { type BinaryNode, jidDecode, proto } from "@whiskeysockets/baileys";
import type { MediaReader } from "../media/media-reader.js";
import { bytesOf, child, children } from "../protocol/node.js";
import type { Connection, Device, WhatsAppWire } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import { chatTimer, setChatTimer } from "../world/chat-timer.js";
import { faultError } from "../world/faults.js";
import { kindOfChat, userOfJid } from "../world/jid.js";
import type { ReceivedContent, Recipient } from "../world/received.js";
import { strangerToken } from "../world/stranger-token.js";
import type { World } from "../world/world.js";
import type { OtherSide } from "./other-side.js";
import { PostChanges } from "./post-changes.js";
import { readContent } from "./read-content.js";
import { groupHashIfStale, hashIfStale, namedDevices, namesOneTwice, refusedNumber } from "./recipient-devices.js";

const keptIds = 2_000;
/** Kinds of posts of type `media` that bring no file (whatsmeow's send.go, getMediaTypeFromMessage): contacts, and a text with what stands behind its link. */
const withoutFile = ["vcard", "contact_array", "url"];
/** A message with more copies is acked before its recipients have read it, as the platform acks: 500 first copies take some half a second of this process alone. */
const readFirst = 100;
/** So many messages may be acked and unread; the next one's ack waits for its readers, and so does its sender. */
const maxUnread = 64;

export interface MessageSinkTools {
  readonly world: World;
  readonly media: MediaReader;
  readonly otherSide: OtherSide;
  readonly wire: () => WhatsAppWire;
}

/** Takes the accounts' messages: reads them as their recipients do, records them, and acks. */
export class MessageSink {
  /** Ids of each account, with the server id of a channel's post once it is recorded: a message that comes again is the same message. */
  private readonly accepted = new Map<string, Map<string, Promise<number | undefined>>>();

  /** Messages that are acked, and not read yet. */
  private readonly unread = new Set<Promise<unknown>>();

  private readonly world: World;
  private readonly wire: () => WhatsAppWire;
  private readonly changes: PostChanges;

  constructor(private readonly tools: MessageSinkTools) {
    this.world = tools.world;
    this.wire = tools.wire;
    this.changes = new PostChanges(tools.world, tools.otherSide);
  }

  /** After a restart. */
  restore(): void {
    for (const entry of this.world.received.list(undefined))
      if (entry.type === "message" || entry.type === "status") this.remember(entry.account, entry.id, Promise.resolve(entry.serverId));
  }

  async take(stanza: BinaryNode, account: Account, device: Device, connection: Connection): Promise<void> {
    const { id = "", category } = stanza.attrs;
    const { faults } = this.world;
    const change = this.fault(account) ?? this.changes.take(stanza, account, device);
    if (change !== undefined) {
      this.wire().ack(stanza, connection, change);
      return;
    }
    const error = this.refusal(stanza, account);
    if (error !== undefined) {
      this.wire().ack(stanza, connection, { error });
      return;
    }
    const known = this.accepted.get(account.account)?.get(id);
    const recorded = category === "peer" ? undefined : (known ?? this.accept(stanza, account, device));
    const serverId = recorded === undefined || this.readLater(stanza, recorded) ? undefined : await recorded;
    if (faults.take(["lost-ack"], account.account, "message") === undefined) {
      const phash = this.staleHash(stanza, device);
      this.wire().ack(stanza, connection, { ...(serverId !== undefined && { serverId }), ...(phash !== undefined && { phash }) });
      this.wire().relay(stanza, device, known !== undefined);
    } else {
      connection.disconnect("reset");
    }
    await recorded;
    if (known !== undefined) this.sentLater(stanza, account);
  }

  /** An account has seen posts of a channel. */
  seen(stanza: BinaryNode, account: Account): void {
    this.changes.seen(stanza, account);
  }

  /** Resolves when all is read that is acked by now. */
  async allRead(): Promise<void> {
    await Promise.allSettled(this.unread);
  }

  private readLater(stanza: BinaryNode, recorded: Promise<unknown>): boolean {
    if (children(child(stanza, "participants"), "to").length <= readFirst || this.unread.size >= maxUnread) return false;
    this.unread.add(recorded);
    const forget = (): void => void this.unread.delete(recorded);
    recorded.then(forget, forget);
    return true;
  }

  /** What cannot be recorded may come again. */
  private accept(stanza: BinaryNode, account: Account, device: Device): Promise<number | undefined> {
    const { id = "", to = "" } = stanza.attrs;
    const recorded = this.record(stanza, account, device, kindOfChat(to));
    this.remember(account.account, id, recorded);
    recorded.catch(() => this.accepted.get(account.account)?.delete(id));
    return recorded;
  }

  private staleHash(stanza: BinaryNode, device: Device): string | undefined {
    const { to = "" } = stanza.attrs;
    const group = this.world.group(to);
    if (group !== undefined) return groupHashIfStale(stanza, group, this.wire());
    return kindOfChat(to) === "phone" ? hashIfStale(stanza, device, this.wire()) : undefined;
  }

  /** A device that a message missed, or that asked for it again, got it under the same id. */
  private sentLater(stanza: BinaryNode, { account }: Account): void {
    const { id, to = "", participant = to } = stanza.attrs;
    const isForOne = children(stanza, "enc").some(({ attrs }) => attrs.type !== "skmsg");
    if (!isForOne || !jidDecode(participant)?.device) return;
    const entry = this.world.received.list(account).findLast((one) => "id" in one && one.id === id);
    if (entry === undefined || !("devices" in entry) || entry.devices.includes(participant)) return;
    entry.devices.push(participant);
    this.world.changed("received");
  }

  private fault({ account }: Account): { readonly error: number } | undefined {
    const fault = this.world.faults.take(["flood-wait", "error"], account, "message");
    return fault && { error: faultError(fault).code };
  }

  /** Code of the ack that rejects a message. */
  private refusal(stanza: BinaryNode, account: Account): number | undefined {
    const { to = "", category, type, media_id: mediaId } = stanza.attrs;
    if (category === "peer") return undefined;
    if (namesOneTwice(stanza)) return 479;
    const byNumber = account.lidMigrated ? refusedNumber(stanza, this.world.group(to)) : undefined;
    if (byNumber !== undefined) return byNumber;
    switch (kindOfChat(to)) {
      case "group": {
        const group = this.world.group(to);
        if (group === undefined) return 404;
        return !group.has(account) || (group.announce && group.adminKind(account) === undefined) ? 403 : undefined;
      }
      case "newsletter": {
        const channel = this.world.channel(to);
        if (channel === undefined || channel.deleted) return 404;
        if (!channel.isRunBy(account)) return 403;
        // A file in a channel must name the upload that it came by, and its kind; what has no file has the kind alone.
        const kind = child(stanza, "plaintext")?.attrs.mediatype;
        return type === "media" && (kind === undefined || (mediaId === undefined && !withoutFile.includes(kind))) ? 479 : undefined;
      }
      case "phone":
        return userOfJid(to) === undefined && !/^\d+@s\.whatsapp\.net$/.test(to) ? 400 : this.strangerRefusal(stanza, account);
      default:
        return undefined;
    }
  }

  /** A token for a stranger is checked whoever it is for; who is limited needs one, or one that the other side has given. */
  private strangerRefusal(stanza: BinaryNode, account: Account): number | undefined {
    const other = userOfJid(stanza.attrs.to ?? "");
    if (other === undefined || other.phone === account.phone) return undefined;
    const token = bytesOf(child(stanza, "cstoken"));
    if (token !== undefined) return token.equals(strangerToken(account.phone, other)) ? undefined : 463;
    return account.limited && !account.contacts.has(other.phone) && child(stanza, "tctoken") === undefined ? 463 : undefined;
  }

  /** The server id of a channel's post. */
  private async record(stanza: BinaryNode, account: Account, device: Device, recipient: Recipient): Promise<number | undefined> {
    const { id = "", to = "" } = stanza.attrs;
    const decrypted = await this.wire().decrypt(stanza, device);
    const content: ReceivedContent =
      decrypted.message === undefined ? { kind: "unreadable", text: "" } : await readContent(decrypted.message, this.tools.media);
    const channel = recipient === "newsletter" ? this.world.channel(to) : undefined;
    const bytes = decrypted.message && Buffer.from(proto.Message.encode(proto.Message.fromObject(decrypted.message)).finish());
    const mediatype = child(stanza, "plaintext")?.attrs.mediatype;
    const type = stanza.attrs.type === "media" ? "media" : "text";
    const post = bytes && channel?.add({ id, message: bytes, type, by: account.phone, ...(mediatype !== undefined && { mediatype }) });
    if (channel && post) {
      this.world.changed("world");
      this.tools.otherSide.post(channel, post, { by: device });
    }
    const serverId = post?.serverId;
    // Who got the sender key with this status sees it; a group's key stays with those who got it earlier.
    const keyHolders = recipient === "status" ? decrypted.copies : decrypted.readers;
    // Whoever left a group still holds its keys, and is sent nothing of it.
    const group = recipient === "group" ? this.world.group(to) : undefined;
    const readers = group === undefined ? keyHolders : keyHolders.filter((user) => !group.hasLeft(user));
    const audience = new Set(readers.map(({ phone }) => phone));
    const strangers = recipient === "phone" ? [] : decrypted.readers.flatMap(({ phone }) => (audience.has(phone) ? [] : [phone]));
    const devices = namedDevices(stanza);
    this.changeTimer(decrypted.message, account, to);
    const disappears = decrypted.message !== undefined && this.expirationOf(account, to) > 0;
    const enc = child(child(child(stanza, "participants"), "to"), "enc") ?? child(stanza, "enc");
    this.world.received.add({
      type: recipient === "status" ? "status" : "message",
      account: account.account,
      id,
      chat: to,
      recipient,
      ...content,
      audience: [...audience],
      devices,
      nodes: Array.isArray(stanza.content) ? stanza.content.map(({ tag }) => tag) : [],
      ...(disappears && content.expiration === undefined && content.kind !== "protocolMessage" && { staysForever: true as const }),
      ...(enc?.attrs.mediatype !== undefined && { mediatype: enc.attrs.mediatype }),
      ...(strangers.length > 0 && { strangers }),
      ...(decrypted.senderKey !== undefined && { senderKey: decrypted.senderKey }),
      ...(serverId !== undefined && { serverId }),
      ...(decrypted.failures.length > 0 && { failures: decrypted.failures }),
    });
    return serverId;
  }

  /** The account sets after how long the messages of a private chat disappear. */
  private changeTimer(message: proto.IMessage | undefined, account: Account, to: string): void {
    const { protocolMessage } = message?.ephemeralMessage?.message ?? message ?? {};
    const other = userOfJid(to);
    if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING || other === undefined) return;
    setChatTimer(this.world, account, other, protocolMessage.ephemeralExpiration ?? 0);
  }

  /** Seconds after which the messages of a chat disappear; 0: never. */
  private expirationOf(account: Account, to: string): number {
    const other = userOfJid(to);
    return this.world.group(to)?.expiration ?? (other === undefined ? 0 : chatTimer(this.world, account, other));
  }

  private remember(account: string, id: string, recorded: Promise<number | undefined>): void {
    const ids = this.accepted.get(account) ?? new Map<string, Promise<number | undefined>>();
    this.accepted.set(account, ids.set(id, recorded));
    const [oldest] = ids.keys();
    if (oldest !== undefined && ids.size > keptIds) ids.delete(oldest);
  }
}
