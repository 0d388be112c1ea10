/** What an account's client does and the devices of other accounts see: it types, it got or read a message, it asks for one again; and posts of channels. */
import { type BinaryNode, jidDecode } from "@whiskeysockets/baileys";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import { memberJid } from "../iq/group-node.js";
import type { Device, User, WhatsAppWire } from "../whatsapp-backend.js";
import type { Channel, Post } from "../world/channel.js";
import { jidOf, kindOfChat, userOfJid } from "../world/jid.js";
import type { World } from "../world/world.js";
import { isNumber } from "./recipient-devices.js";
import { contentNodes, countNodes } from "./post-node.js";

/** Receipts that are between a client and its own phone, or its own account. */
const ownReceipts = ["peer_msg", "hist_sync", "read-self", "sender", "server-error"];

export class OtherSide {
  constructor(
    private readonly world: World,
    private readonly wire: () => WhatsAppWire,
  ) {}

  /** Seen by those who are there now; nobody is told later that somebody typed. */
  typing({ attrs: { to = "" }, content }: BinaryNode, device: Device): void {
    if (this.isRefused(to, device)) return;
    const group = this.world.group(to);
    for (const user of this.others(to)) {
      const from = group === undefined ? { from: this.nameFor(user, to, device) } : { from: to, participant: memberJid(group, device) };
      this.give(user, node("chatstate", from, content), device);
    }
  }

  /** Who asks is told at once how it is now. */
  subscribe(to: string, device: Device): void {
    const user = userOfJid(to);
    if (user === undefined) return;
    this.world.presences.subscribe(device, user, to);
    this.wire().push(device, presenceOf(to, this.world.presences.isAvailable(user)));
  }

  presence(device: Device, available: boolean): void {
    if (!this.world.presences.set(device, available)) return;
    const isThere = this.world.presences.isAvailable(device);
    for (const [subscriber, askedAs] of this.world.presences.subscribersOf(device))
      this.wire().push(subscriber, presenceOf(askedAs, isThere));
  }

  /** Whose connection ended is no longer there, and is told nothing. */
  gone(device: Device): void {
    this.world.liveUpdates.unwatch(device);
    this.world.presences.unsubscribe(device);
    this.presence(device, false);
  }

  receipt({ attrs: { id = "", to = "", participant, type }, content }: BinaryNode, device: Device): void {
    if (ownReceipts.includes(type ?? "") || this.isRefused(to, device)) return;
    const author = participant ?? to;
    const user = userOfJid(author);
    if (user === undefined) return;
    const { device: number } = jidDecode(author) ?? {};
    const again = type === "retry";
    // The sending device alone can encrypt a message anew, and must know for which device.
    if (again && !number) return;
    const reader = this.nameFor(user, author, device, again);
    const from = kindOfChat(to) === "phone" ? { from: reader } : { from: to, participant: reader };
    this.give(user, node("receipt", { ...from, id, type, t: unixSeconds() }, content), device, again ? number : undefined);
  }

  /** `by`: the device that wrote it, which knows of it; `edit`: how it was changed. One that was taken back has an empty content, as its author's stanza has. */
  post(channel: Channel, post: Post, { by, edit }: { readonly by?: Device; readonly edit?: string } = {}): void {
    const { id, serverId, at, type, message } = post;
    const content = message === undefined ? [node("plaintext", {}, Buffer.alloc(0))] : contentNodes(post);
    for (const user of channel.people()) {
      const mine = by?.phone === user.phone ? { is_sender: "true" } : {};
      const attrs = { from: channel.id, id, server_id: String(serverId), t: String(at), type, edit, ...mine };
      this.give(user, node("message", attrs, content), by);
    }
  }

  /** How often a post was seen and reacted to, to those who look at its channel just now (whatsmeow's notification.go, handleNewsletterNotification). */
  live({ id: from }: Channel, post: Post): void {
    const { id, serverId, at, type } = post;
    const message = node("message", { id, server_id: String(serverId), t: String(at), type }, countNodes(post));
    for (const device of this.world.liveUpdates.of(from))
      this.wire().push(
        device,
        node("notification", { from, type: "newsletter", id: stanzaId(), t: unixSeconds() }, [node("live_updates", {}, [message])]),
      );
  }

  /** To all devices of all of them. */
  tell(users: Iterable<User>, stanza: () => BinaryNode): void {
    for (const user of users) this.give(user, stanza(), undefined);
  }

  /** A migrated account's stanza that names a person by number goes nowhere. */
  isRefused(to: string, { phone }: Pick<User, "phone">): boolean {
    return isNumber(to) && this.world.accounts.ofPhone(phone)?.lidMigrated === true;
  }

  /** JID of the device's account as the other side knows it: by LID if that is migrated, else by what it was called itself. */
  private nameFor({ phone }: Pick<User, "phone">, called: string, device: Device, withDevice = false): string {
    const migrated = this.world.accounts.ofPhone(phone)?.lidMigrated === true;
    return sameKind(migrated ? "@lid" : called, device, withDevice);
  }

  private others(chat: string): Iterable<User> {
    const user = userOfJid(chat);
    return user === undefined ? (this.world.group(chat)?.accounts() ?? []) : [user];
  }

  /** To all of somebody's devices, or to that `number`, but not to the one that it comes from. */
  private give({ phone }: Pick<User, "phone">, stanza: BinaryNode, from: Device | undefined, number?: number): void {
    const account = this.world.accounts.ofPhone(phone)?.account;
    for (const device of this.wire().devices(phone)) {
      if (device === from || (number !== undefined && device.number !== number)) continue;
      // A gap in what is pushed is one of these, too.
      if (this.world.faults.take(["gap"], account, "push") === undefined) this.wire().push(device, stanza);
    }
  }
}

/** Without a type it says that they are there. */
function presenceOf(from: string, isThere: boolean): BinaryNode {
  return node("presence", isThere ? { from } : { from, type: "unavailable", last: unixSeconds() });
}

/** A JID of the same kind as the other: by LID or by number. */
function sameKind(other: string, { phone, lid, number }: Device, withDevice = false): string {
  const device = withDevice ? `:${number}` : "";
  return other.endsWith("@lid") ? `${lid}${device}@lid` : jidOf({ phone: `${phone}${device}` });
}
