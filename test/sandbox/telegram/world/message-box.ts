import type { MarkedId } from "./ids.js";
import type { ServiceAction } from "./service-action.js";

/** The part of a message besides its text. */
export type Attachment =
  | { readonly kind: "media"; readonly mediaId: number; readonly spoiler?: boolean; readonly ttlSeconds?: number }
  | {
      readonly kind: "geo";
      readonly lat: number;
      readonly long: number;
      readonly venue?: { readonly name: string; readonly address: string };
      /** Seconds for which the live place is updated, and its heading. */
      readonly live?: { readonly period: number; readonly heading?: number };
    }
  | { readonly kind: "dice"; readonly emoticon: string; readonly value: number }
  | { readonly kind: "poll"; readonly pollId: number }
  | { readonly kind: "contact"; readonly phone: string; readonly firstName: string; readonly lastName: string; readonly vcard: string };

export interface Reactor {
  readonly from: number;
  readonly emoticon: string;
  readonly date: number;
}

/** Origin of a forwarded message. */
export interface Forward {
  /** The author, or the channel of the original post. */
  readonly from: MarkedId;
  readonly date: number;
  /** Message id in the original channel. */
  readonly post?: number;
}

export interface Quote {
  readonly text: string;
  readonly entities?: readonly string[];
  /** UTF-16 units. */
  readonly offset?: number;
}

/** One message as its owner (an account or a channel) sees it. Plain data: the snapshot stores it unchanged. */
export interface StoredMessage {
  readonly id: number;
  /** Unix seconds. */
  readonly date: number;
  /** The message's chat from the owner's point of view. */
  readonly peer: MarkedId;
  /** User id of the author; 0 for a post in the channel's name. */
  readonly from: number;
  readonly out: boolean;
  text: string;
  /** TL bytes of each entity, base64. */
  entities?: readonly string[];
  attachment?: Attachment;
  editDate?: number;
  /** Set if the last edit is invisible: a reaction was added or removed. */
  editHide?: boolean;
  /** Emoji of the other side's reaction. */
  reaction?: string;
  /** Reactions of people with an account here, oldest first. */
  reactors?: readonly Reactor[];
  readonly replyTo?: number;
  /** Chat of the replied-to message, if it is another one. */
  readonly replyToPeer?: MarkedId;
  /** The quoted part of the replied-to message. */
  readonly quote?: Quote;
  readonly forward?: Forward;
  /** Options of the send: silent, protected against forwarding, caption above the media. */
  readonly silent?: boolean;
  readonly noforwards?: boolean;
  invertMedia?: boolean;
  /** True until the media is played or viewed. */
  mediaUnread?: boolean;
  /** Decimal id that the messages of one album share. */
  readonly groupedId?: string;
  /** The sending device and its random id. The device learns from getDifference that its send succeeded. */
  readonly sentBy?: { readonly device: string; readonly randomId: string };
  /** Accounts that have seen a channel's post. */
  viewers?: readonly number[];
  /** The same message in the boxes of other accounts. */
  twins?: readonly { account: string; id: number }[];
  /** Set for a service message such as "group created", which has no text. */
  readonly action?: ServiceAction;
  readonly seeded?: boolean;
}

export type LogEntry =
  | { readonly kind: "new" | "edit"; readonly pts: number; readonly count: number; readonly id: number }
  | { readonly kind: "contents" | "delete"; readonly pts: number; readonly count: number; readonly ids: readonly number[] }
  | {
      readonly kind: "read-inbox" | "read-outbox";
      readonly pts: number;
      readonly count: number;
      readonly peer: MarkedId;
      readonly maxId: number;
    }
  /** Chats, by marked id, that were moved to a folder. */
  | {
      readonly kind: "folders";
      readonly pts: number;
      readonly count: number;
      readonly folders: readonly (readonly [number, number])[];
    };

/** A box in the snapshot: the differences from its seed. */
export interface BoxChanges {
  readonly pts: number;
  readonly nextId: number;
  readonly messages: readonly StoredMessage[];
  /** Deleted messages of the seed. */
  readonly deleted: readonly number[];
  readonly readInbox: readonly (readonly [number, number])[];
  readonly readOutbox: readonly (readonly [number, number])[];
  readonly log: readonly LogEntry[];
}

const keptMessages = 20_000;
const keptEntries = 5_000;

/** One message sequence with its update counter, and the log from which outdated clients catch up. */
export class MessageBox {
  pts = 1;
  nextId = 1;
  readonly messages = new Map<number, StoredMessage>();
  readonly log: LogEntry[] = [];
  readonly readInbox = new Map<MarkedId, number>();
  readonly readOutbox = new Map<MarkedId, number>();
  /** Seeded messages that were deleted. */
  readonly deleted = new Set<number>();
  /** False while the box contains only its seed. */
  touched = false;
  private readonly byPeer = new Map<MarkedId, number[]>();

  /** Assigns the next id. A seeded message is in the history but not in the log. */
  add(draft: Omit<StoredMessage, "id">): StoredMessage {
    const message = { ...draft, id: this.nextId++ };
    this.put(message);
    if (message.seeded !== true) this.record({ kind: "new", id: message.id }, 1);
    return message;
  }

  edit(
    id: number,
    change: { text: string; entities?: readonly string[]; attachment?: Attachment; invertMedia?: boolean; editDate: number },
  ): StoredMessage | undefined {
    const message = this.messages.get(id);
    if (message === undefined) return undefined;
    Object.assign(message, change);
    delete message.editHide;
    this.record({ kind: "edit", id }, 1);
    return message;
  }

  /** Sets the other side's reaction, or removes it if empty. Devices see an edit, with `editHide` unless the text was edited before. */
  react(id: number, reaction: string, at: number): StoredMessage | undefined {
    return this.reacted(id, at, (message) => {
      if (reaction === "") delete message.reaction;
      else message.reaction = reaction;
    });
  }

  /** Sets the reaction of one of several people, or removes it without an emoji. */
  reactBy(id: number, from: number, emoticon: string | undefined, at: number): StoredMessage | undefined {
    return this.reacted(id, at, (message) => {
      const others = (message.reactors ?? []).filter((reactor) => reactor.from !== from);
      message.reactors = emoticon === undefined ? others : [...others, { from, emoticon, date: at }];
    });
  }

  private reacted(id: number, at: number, change: (message: StoredMessage) => void): StoredMessage | undefined {
    const message = this.messages.get(id);
    if (message === undefined) return undefined;
    change(message);
    if (message.editDate === undefined || message.editHide === true) Object.assign(message, { editDate: at, editHide: true });
    this.record({ kind: "edit", id }, 1);
    return message;
  }

  /** Returns the messages that existed. All of them share one log entry. */
  delete(ids: readonly number[]): StoredMessage[] {
    const gone = [...new Set(ids)].flatMap((id) => this.messages.get(id) ?? []);
    for (const { id, seeded } of gone) {
      if (seeded === true) this.deleted.add(id);
      this.forget(id);
    }
    if (gone.length > 0) this.record({ kind: "delete", ids: gone.map(({ id }) => id) }, gone.length);
    return gone;
  }

  /** Returns false if the marker was already at this message or a later one. */
  read(side: "inbox" | "outbox", peer: MarkedId, maxId: number): boolean {
    const markers = side === "inbox" ? this.readInbox : this.readOutbox;
    if ((markers.get(peer) ?? 0) >= maxId) return false;
    markers.set(peer, maxId);
    this.record({ kind: side === "inbox" ? "read-inbox" : "read-outbox", peer, maxId }, 1);
    return true;
  }

  /** Marks media of messages as played or viewed. Returns the messages that were unread. */
  readContents(ids: readonly number[]): StoredMessage[] {
    const read = ids.flatMap((id) => this.messages.get(id) ?? []).filter(({ mediaUnread }) => mediaUnread === true);
    for (const message of read) message.mediaUnread = false;
    if (read.length > 0) this.record({ kind: "contents", ids: read.map(({ id }) => id) }, read.length);
    return read;
  }

  moveToFolders(folders: readonly (readonly [number, number])[]): void {
    this.record({ kind: "folders", folders }, 1);
  }

  /** Returns the ids of a chat, oldest first. */
  idsOf(peer: MarkedId): readonly number[] {
    return this.byPeer.get(peer) ?? [];
  }

  topOf(peer: MarkedId): StoredMessage | undefined {
    const id = this.idsOf(peer).at(-1);
    return id === undefined ? undefined : this.messages.get(id);
  }

  unreadOf(peer: MarkedId): number {
    const ids = this.idsOf(peer);
    const read = this.readInbox.get(peer) ?? 0;
    let unread = 0;
    for (let i = ids.length - 1; i >= 0; i--) {
      const id = ids[i];
      if (id === undefined || id <= read) break;
      if (this.messages.get(id)?.out === false) unread++;
    }
    return unread;
  }

  peers(): Iterable<MarkedId> {
    return this.byPeer.keys();
  }

  /** Returns the entries after `pts`, or `undefined` if the log does not reach back that far. */
  since(pts: number): readonly LogEntry[] | undefined {
    if (pts > this.pts) return undefined;
    if (pts === this.pts) return [];
    const oldest = this.log[0];
    if (oldest === undefined || oldest.pts - oldest.count > pts) return undefined;
    return this.log.filter((entry) => entry.pts > pts);
  }

  /** Applies stored changes to the seed. */
  restore(stored: BoxChanges): void {
    for (const id of stored.deleted) {
      this.deleted.add(id);
      this.forget(id);
    }
    for (const message of stored.messages) this.put(message);
    for (const [peer, id] of stored.readInbox) this.readInbox.set(peer, id);
    for (const [peer, id] of stored.readOutbox) this.readOutbox.set(peer, id);
    this.log.push(...stored.log);
    this.pts = stored.pts;
    this.nextId = Math.max(this.nextId, stored.nextId);
    this.touched = true;
  }

  private forget(id: number): void {
    const message = this.messages.get(id);
    if (message === undefined) return;
    this.messages.delete(id);
    const ids = this.byPeer.get(message.peer);
    const at = ids?.indexOf(id) ?? -1;
    if (at >= 0) ids?.splice(at, 1);
  }

  private put(message: StoredMessage): void {
    this.messages.set(message.id, message);
    const ids = this.byPeer.get(message.peer);
    if (ids === undefined) this.byPeer.set(message.peer, [message.id]);
    else if ((ids.at(-1) ?? 0) < message.id) ids.push(message.id);
    else if (!ids.includes(message.id)) {
      ids.push(message.id);
      ids.sort((a, b) => a - b);
    }
    // Evicts the oldest message: a sandbox that runs for days must not grow with its traffic.
    if (this.messages.size > keptMessages) this.forget(this.messages.keys().next().value ?? 0);
  }

  private record(entry: EntryBody, count: number): void {
    this.pts += count;
    this.touched = true;
    this.log.push({ ...entry, pts: this.pts, count });
    if (this.log.length > keptEntries) this.log.splice(0, keptEntries / 10);
  }
}

type Body<E> = E extends LogEntry ? Omit<E, "pts" | "count"> : never;
type EntryBody = Body<LogEntry>;
