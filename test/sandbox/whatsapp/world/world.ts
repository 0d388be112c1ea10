import { ReceivedLog } from "../../control/received.js";
import type { User } from "../whatsapp-backend.js";
import type { Account } from "./account.js";
import { AccountBook } from "./account-book.js";
import type { Channel } from "./channel.js";
import { whatsappFaults } from "./faults.js";
import { DeviceWatch } from "./device-watch.js";
import type { Group } from "./group.js";
import { jidOf } from "./jid.js";
import { LiveUpdates } from "./live-updates.js";
import { MessageBook } from "./message-book.js";
import { OverlapWatch } from "./overlaps.js";
import { indexOfChat } from "./own-chat-id.js";
import { Presences } from "./presences.js";
import type { Received } from "./received.js";

/** State parts that are stored separately. */
export type StatePart = "world" | "received" | "protocol";

export interface WorldOptions {
  /** Unix seconds of the sandbox's first start. The chats' history ends here. */
  readonly startedAt: number;
  /** Called after each change that must survive a restart. */
  readonly changed: (part: StatePart) => void;
  /** Creates an account's own chats on first use. */
  readonly stock: (world: World, account: Account) => void;
}

/** The platform's state, except for the wire protocol's own: accounts, groups and channels. */
export class World {
  readonly accounts = new AccountBook();
  readonly faults = whatsappFaults();
  readonly overlaps = new OverlapWatch();
  readonly deviceWatch = new DeviceWatch();
  readonly presences = new Presences();
  readonly liveUpdates = new LiveUpdates();
  /** Number of stanzas and uploads by kind. */
  readonly calls = new Map<string, number>();
  /** Number of picture changes by JID; negative if the last one removed the picture. */
  readonly pictures = new Map<string, number>();
  /** Default timers for new private chats by phone number: seconds, and the Unix seconds of the change. */
  readonly defaultTimers = new Map<string, { readonly seconds: number; readonly setAt: number }>();
  /** Phone numbers that the platform hides. */
  readonly hiddenNumbers = new Set<string>();
  /** The messages in the accounts' chats, for replies, edits and reactions. */
  readonly messages = new MessageBook();
  readonly received: ReceivedLog<Received>;
  readonly startedAt: number;
  readonly changed: (part: StatePart) => void;
  private readonly stock: WorldOptions["stock"];
  private readonly groups = new Map<string, Group>();
  private readonly channels = new Map<string, Channel>();

  constructor({ startedAt, changed, stock }: WorldOptions) {
    this.startedAt = startedAt;
    this.changed = changed;
    this.received = new ReceivedLog<Received>(() => changed("received"));
    this.stock = stock;
  }

  /** Throws if no account has this name. */
  account(name: string): Account {
    const account = this.accounts.get(name);
    if (account === undefined) throw new RangeError(`no account ${name}`);
    return account;
  }

  /** Returns the account after creating its chats. Every reader of an account's chats must call it. */
  opened(account: Account): Account {
    if (!account.stocked) {
      account.stocked = true;
      this.stock(this, account);
    }
    return account;
  }

  /** Returns whether a user's account has blocked the other person. */
  blocks(user: Pick<User, "phone">, other: Pick<User, "phone">): boolean {
    return this.accounts.ofPhone(user.phone)?.blocked.has(jidOf(other)) === true;
  }

  /** Counts a change of a picture. Returns the new version. */
  changePicture(jid: string, change: "set" | "remove"): number {
    const version = Math.abs(this.pictures.get(jid) ?? 0) + 1;
    this.pictures.set(jid, change === "set" ? version : -version);
    this.changed("world");
    return version;
  }

  addGroup(group: Group): void {
    this.groups.set(group.id, group);
    for (const user of group.accounts()) this.accountOf(user)?.groups.add(group.id);
  }

  addChannel(channel: Channel): void {
    this.channels.set(channel.id, channel);
    for (const user of channel.people()) this.accountOf(user)?.channels.add(channel.id);
  }

  group(id: string): Group | undefined {
    this.openOwnerOf(id);
    return this.groups.get(id);
  }

  channel(id: string): Channel | undefined {
    this.openOwnerOf(id);
    return this.channels.get(id);
  }

  allGroups(): Iterable<Group> {
    return this.groups.values();
  }

  allChannels(): Iterable<Channel> {
    return this.channels.values();
  }

  hidesNumber({ phone }: Pick<User, "phone">): boolean {
    return this.hiddenNumbers.has(phone);
  }

  /** Returns the JID of a private chat with the user as the account's devices see it. */
  chatJid({ lidMigrated }: Account, user: User): string {
    return lidMigrated || this.hidesNumber(user) ? `${user.lid}@lid` : jidOf(user);
  }

  count(kind: string): void {
    this.calls.set(kind, (this.calls.get(kind) ?? 0) + 1);
  }

  private accountOf({ phone }: Pick<User, "phone">): Account | undefined {
    return this.accounts.ofPhone(phone);
  }

  private openOwnerOf(id: string): void {
    const index = indexOfChat(id);
    const owner = index === undefined ? undefined : this.accounts.ofIndex(index);
    if (owner !== undefined) this.opened(owner);
  }
}
