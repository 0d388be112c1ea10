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
import { resendPlaceholders } from "./placeholder-resend.js";
import { sendReceipts } from "./phone-receipts.js";
import { PostChanges } from "./post-changes.js";
import { readChange } from "./read-change.js";
import { readContent } from "./read-content.js";
import { groupHashIfStale, hashIfStale, namedDevices, namesOneTwice, refusedNumber } from "./recipient-devices.js";

const keptIds = 2_000;
/** Value of a stanza's `edit` for a message that an administrator deletes. */
const byAdministrator = "8";
/** Kinds of `media` posts without a file (whatsmeow's send.go, getMediaTypeFromMessage): contacts, and a text with a link preview. */
const withoutFile = ["vcard", "contact_array", "url"];
/**
 * Messages with more copies are acked before their recipients read them, as on the platform: reading 500 first copies takes about 0.5 s of
 * this process.
 */
const readFirst = 100;
/** Limit of acked but unread messages. At the limit, the next ack waits, which slows its sender down. */
const maxUnread = 64;

export interface MessageSinkTools {
  readonly world: World;
  readonly media: MediaReader;
  readonly otherSide: OtherSide;
  readonly wire: () => WhatsAppWire;
  /** Nothing is decrypted, so recipients send no receipts. */
  readonly load: boolean;
}

/** Accepts the accounts' messages: reads them as their recipients do, records them, and acks them. */
export class MessageSink {
  /** Message ids by account, with the server id once a channel's post is recorded. A repeated id is the same message. */
  private readonly accepted = new Map<string, Map<string, Promise<number | undefined>>>();

  /** Acked messages that are not read yet. */
  private readonly unread = new Set<Promise<unknown>>();

  private readonly world: World;
  private readonly wire: () => WhatsAppWire;
  private readonly changes: PostChanges;

  constructor(private readonly tools: MessageSinkTools) {
    this.world = tools.world;
    this.wire = tools.wire;
    this.changes = new PostChanges(tools.world, tools.otherSide);
  }

  /** Restores the accepted ids after a restart. */
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
    if (category === "peer" && !this.tools.load) await resendPlaceholders(stanza, account, device, this.world, this.wire());
    await recorded;
    if (known !== undefined) this.sentLater(stanza, account);
  }

  /** Records that an account has seen posts of a channel. */
  seen(stanza: BinaryNode, account: Account): void {
    this.changes.seen(stanza, account);
  }

  /** Resolves when every message that is acked now has been read. */
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

  /** A message whose recording failed may be sent again. */
  private accept(stanza: BinaryNode, account: Account, device: Device): Promise<number | undefined> {
    const { id = "", to = "" } = stanza.attrs;
    this.meets(account, to);
    const recorded = this.record(stanza, account, device, kindOfChat(to));
    this.remember(account.account, id, recorded);
    recorded.catch(() => this.accepted.get(account.account)?.delete(id));
    return recorded;
  }

  /** Notes who has written first, which the platform counts and which later restrictions depend on. */
  private meets(account: Account, to: string): void {
    const other = kindOfChat(to) === "phone" ? userOfJid(to) : undefined;
    if (other === undefined || other.phone === account.phone) return;
    if (!account.writers.has(other.phone)) account.begunChats.add(other.phone);
    this.world.accounts.ofPhone(other.phone)?.writers.add(account.phone);
  }

  private staleHash(stanza: BinaryNode, device: Device): string | undefined {
    const { to = "" } = stanza.attrs;
    const group = this.world.group(to);
    if (group !== undefined) return groupHashIfStale(stanza, group, this.wire());
    return kindOfChat(to) === "phone" ? hashIfStale(stanza, device, this.wire()) : undefined;
  }

  /** A device that missed a message, or requested a retry, receives it under the same id. */
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

  /** Returns the error code of the ack that rejects a message. */
  private refusal(stanza: BinaryNode, account: Account): number | undefined {
    const { to = "", category, type, media_id: mediaId, edit } = stanza.attrs;
    if (category === "peer") return undefined;
    if (namesOneTwice(stanza)) return 479;
    const byNumber = account.lidMigrated ? refusedNumber(stanza, this.world.group(to)) : undefined;
    if (byNumber !== undefined) return byNumber;
    switch (kindOfChat(to)) {
      case "group": {
        const group = this.world.group(to);
        if (group === undefined) return 404;
        if (edit === byAdministrator && group.adminKind(account) === undefined) return 403;
        return !group.has(account) || (group.announce && group.adminKind(account) === undefined) ? 403 : undefined;
      }
      case "newsletter": {
        const channel = this.world.channel(to);
        if (channel === undefined || channel.deleted) return 404;
        if (!channel.isRunBy(account)) return 403;
        // A file in a channel must name its upload and its kind. A post without a file names only its kind.
        const kind = child(stanza, "plaintext")?.attrs.mediatype;
        return type === "media" && (kind === undefined || (mediaId === undefined && !withoutFile.includes(kind))) ? 479 : undefined;
      }
      case "phone":
        return userOfJid(to) === undefined && !/^\d+@s\.whatsapp\.net$/.test(to) ? 400 : this.strangerRefusal(stanza, account);
      default:
        return undefined;
    }
  }

  /**
   * A restricted account may write only to people who have written to it. Validates any stranger token. A limited account must send one to
   * a stranger, or a token that the stranger has given it.
   */
  private strangerRefusal(stanza: BinaryNode, account: Account): number | undefined {
    const other = userOfJid(stanza.attrs.to ?? "");
    if (other === undefined || other.phone === account.phone) return undefined;
    const isRestricted = this.world.faults.holding("restricted", account.account) !== undefined;
    if (isRestricted && !account.writers.has(other.phone)) return 463;
    const token = bytesOf(child(stanza, "cstoken"));
    if (token !== undefined) return token.equals(strangerToken(account.phone, other)) ? undefined : 463;
    return account.limited && !account.contacts.has(other.phone) && child(stanza, "tctoken") === undefined ? 463 : undefined;
  }

  /** Returns the server id of a channel's post. */
  private async record(stanza: BinaryNode, account: Account, device: Device, recipient: Recipient): Promise<number | undefined> {
    const { id = "", to = "", edit } = stanza.attrs;
    const decrypted = await this.wire().decrypt(stanza, device);
    const content = await this.read(decrypted.message, account, to);
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
    // A status reaches only the people who got its sender key with it. Group members may have the key from an earlier message.
    const keyHolders = recipient === "status" ? decrypted.copies : decrypted.readers;
    // Former members still hold a group's keys, but get no copy.
    const group = recipient === "group" ? this.world.group(to) : undefined;
    const readers = keyHolders.filter((user) =>
      recipient === "phone" ? !this.world.blocks(user, account) : group?.hasLeft(user) !== true,
    );
    const audience = new Set(readers.map(({ phone }) => phone));
    const strangers = recipient === "phone" ? [] : decrypted.readers.flatMap(({ phone }) => (audience.has(phone) ? [] : [phone]));
    const devices = namedDevices(stanza);
    if (!this.tools.load && (recipient === "phone" || group !== undefined)) {
      const isOnOwnPhone = decrypted.copies.some(({ own }) => own);
      // The ack goes out first: it is sent as soon as the message is recorded.
      setImmediate(() => sendReceipts(this.world, this.wire(), account, device, { chat: to, id, readers, isOnOwnPhone }));
    }
    this.changeTimer(decrypted.message, account, to);
    // Phones keep polls, whose secret encrypts the votes.
    if (content.kind === "poll" && decrypted.message !== undefined) {
      const author = { phone: account.phone, lid: account.lid };
      this.world.messages.add(account.account, id, { chat: to, author, message: decrypted.message, at: Math.floor(Date.now() / 1_000) });
    }
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
      ...(disappears && content.expiration === undefined && !isAboutAnother(content) && { staysForever: true as const }),
      ...(edit !== undefined && { edit }),
      ...(enc?.attrs.mediatype !== undefined && { mediatype: enc.attrs.mediatype }),
      ...(strangers.length > 0 && { strangers }),
      ...(decrypted.senderKey !== undefined && { senderKey: decrypted.senderKey }),
      ...(serverId !== undefined && { serverId }),
      ...(decrypted.failures.length > 0 && { failures: decrypted.failures }),
    });
    return serverId;
  }

  private async read(message: proto.IMessage | undefined, account: Account, chat: string): Promise<ReceivedContent> {
    if (message === undefined) return { kind: "unreadable", text: "" };
    return { ...(await readContent(message, this.tools.media)), ...readChange(this.world, account, chat, message) };
  }

  /** Applies the timer that the account sets for a private chat. */
  private changeTimer(message: proto.IMessage | undefined, account: Account, to: string): void {
    const { protocolMessage } = message?.ephemeralMessage?.message ?? message ?? {};
    const other = userOfJid(to);
    if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING || other === undefined) return;
    setChatTimer(this.world, account, other, protocolMessage.ephemeralExpiration ?? 0);
  }

  /** Returns the seconds after which the chat's messages disappear; 0: never. */
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

/** True for messages that show nothing of their own in a chat. */
function isAboutAnother({ kind, target }: ReceivedContent): boolean {
  return kind === "protocolMessage" || target !== undefined;
}
