/** Shows an account's actions to the devices of other accounts: typing, receipts, retry requests and posts of channels. */
import { type BinaryNode, jidDecode } from "@whiskeysockets/baileys";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import { memberJid } from "../iq/group-node.js";
import type { Device, User, WhatsAppWire } from "../whatsapp-backend.js";
import type { Channel, Post } from "../world/channel.js";
import { jidOf, kindOfChat, userOfJid } from "../world/jid.js";
import type { World } from "../world/world.js";
import { isNumber } from "./recipient-devices.js";
import { contentNodes, countNodes } from "./post-node.js";

/** Receipts between a client and its own phone or account. */
const ownReceipts = ["peer_msg", "hist_sync", "read-self", "sender", "server-error"];

export class OtherSide {
  constructor(
    private readonly world: World,
    private readonly wire: () => WhatsAppWire,
  ) {}

  /** Shows typing to connected devices only. It is never queued. */
  typing({ attrs: { to = "" }, content }: BinaryNode, device: Device): void {
    if (this.isRefused(to, device)) return;
    const group = this.world.group(to);
    for (const user of this.others(to)) {
      const from = group === undefined ? { from: this.nameFor(user, to, device) } : { from: to, participant: memberJid(group, device) };
      this.give(user, node("chatstate", from, content), device);
    }
  }

  /** Subscribes a device to a presence and pushes the current state at once. */
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

  /** Ends the subscriptions of a closed connection and marks its device as offline. */
  gone(device: Device): void {
    this.world.liveUpdates.unwatch(device);
    this.world.presences.unsubscribe(device);
    this.presence(device, false);
  }

  receipt(stanza: BinaryNode, device: Device): void {
    const { attrs, content } = stanza;
    const { id = "", to = "", participant, type } = attrs;
    if (type === "read" || type === "read-self") this.give(device, readByOwner(attrs, device, content), device);
    if (ownReceipts.includes(type ?? "") || this.isRefused(to, device)) return;
    const author = participant ?? to;
    const user = userOfJid(author);
    if (user === undefined) return;
    const { device: number } = jidDecode(author) ?? {};
    const again = type === "retry";
    // Only the sending device can encrypt a message again, and only for a named device.
    if (again && !number) return;
    const reader = this.nameFor(user, author, device, again);
    const from = kindOfChat(to) === "phone" ? { from: reader } : { from: to, participant: reader };
    this.give(user, node("receipt", { ...from, id, type, t: unixSeconds() }, content), device, again ? number : undefined);
  }

  /**
   * Sends a post to the channel's people. `by`: the author's device, which is skipped; `edit`: the kind of edit. A deleted post has an
   * empty content, as in its author's stanza.
   */
  post(channel: Channel, post: Post, { by, edit }: { readonly by?: Device; readonly edit?: string } = {}): void {
    const { id, serverId, at, type, message } = post;
    const content = message === undefined ? [node("plaintext", {}, Buffer.alloc(0))] : contentNodes(post);
    for (const user of channel.people()) {
      const mine = by?.phone === user.phone ? { is_sender: "true" } : {};
      const attrs = { from: channel.id, id, server_id: String(serverId), t: String(at), type, edit, ...mine };
      this.give(user, node("message", attrs, content), by);
    }
  }

  /** Pushes a post's views and reactions to devices with the channel open (whatsmeow's notification.go, handleNewsletterNotification). */
  live({ id: from }: Channel, post: Post): void {
    const { id, serverId, at, type } = post;
    const message = node("message", { id, server_id: String(serverId), t: String(at), type }, countNodes(post));
    for (const device of this.world.liveUpdates.of(from))
      this.wire().push(
        device,
        node("notification", { from, type: "newsletter", id: stanzaId(), t: unixSeconds() }, [node("live_updates", {}, [message])]),
      );
  }

  /** Sends a stanza to all devices of the users. */
  tell(users: Iterable<User>, stanza: () => BinaryNode): void {
    for (const user of users) this.give(user, stanza(), undefined);
  }

  /** Returns true if a migrated account's stanza names a person by number: it reaches no device. */
  isRefused(to: string, { phone }: Pick<User, "phone">): boolean {
    return isNumber(to) && this.world.accounts.ofPhone(phone)?.lidMigrated === true;
  }

  /** Returns the account's JID as the other side knows it: its LID if it has migrated, else the kind that the other side used. */
  private nameFor({ phone }: Pick<User, "phone">, called: string, device: Device, withDevice = false): string {
    const migrated = this.world.accounts.ofPhone(phone)?.lidMigrated === true;
    return sameKind(migrated ? "@lid" : called, device, withDevice);
  }

  private others(chat: string): Iterable<User> {
    const user = userOfJid(chat);
    return user === undefined ? (this.world.group(chat)?.accounts() ?? []) : [user];
  }

  /** Sends to all devices of a user, or only to device `number`, but never to the originating device. */
  private give({ phone }: Pick<User, "phone">, stanza: BinaryNode, from: Device | undefined, number?: number): void {
    const account = this.world.accounts.ofPhone(phone)?.account;
    for (const device of this.wire().devices(phone)) {
      if (device === from || (number !== undefined && device.number !== number)) continue;
      // A "gap" fault on pushes drops this stanza too.
      if (this.world.faults.take(["gap"], account, "push") === undefined) this.wire().push(device, stanza);
    }
  }
}

/** The owner's reading on one device, as the other devices see it (whatsmeow's receipt.go, parseReceipt). */
export function readByOwner(
  { id = "", to = "", participant, type }: Readonly<Record<string, string>>,
  owner: User,
  content?: BinaryNode["content"],
): BinaryNode {
  const own = (participant ?? to).endsWith("@lid") ? `${owner.lid}@lid` : jidOf(owner);
  const by = participant === undefined ? { from: own, recipient: to } : { from: to, participant: own, recipient: participant };
  return node("receipt", { ...by, id, type, t: unixSeconds() }, content);
}

/** A presence without a type means online. */
function presenceOf(from: string, isThere: boolean): BinaryNode {
  return node("presence", isThere ? { from } : { from, type: "unavailable", last: unixSeconds() });
}

/** Returns a JID of the same kind (number or LID) as the other one. */
function sameKind(other: string, { phone, lid, number }: Device, withDevice = false): string {
  const device = withDevice ? `:${number}` : "";
  return other.endsWith("@lid") ? `${lid}${device}@lid` : jidOf({ phone: `${phone}${device}` });
}
