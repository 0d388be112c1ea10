import { tlPacket } from "../tl/update.js";
import type { AuthKey } from "../rpc.js";
import type { Account } from "./account.js";
import type { BasicGroup, Channel } from "./chat.js";
import type { Happening } from "./happenings.js";
import { markChannel, unixNow, unmark, type MarkedId } from "./ids.js";
import type { Attachment, Forward, LogEntry, MessageBox, Quote, StoredMessage } from "./message-box.js";
import { Pushes } from "./pushes.js";
import type { ServiceAction } from "./service-action.js";
import type { World } from "./world.js";

/** A new message before it has an id. */
export interface Draft {
  readonly text: string;
  readonly entities?: readonly string[] | undefined;
  readonly attachment?: Attachment | undefined;
  readonly replyTo?: number | undefined;
  readonly replyToPeer?: MarkedId | undefined;
  readonly quote?: Quote | undefined;
  readonly silent?: boolean | undefined;
  readonly noforwards?: boolean | undefined;
  readonly invertMedia?: boolean | undefined;
  /** True for a voice message, a round video, or media that can be viewed once. */
  readonly mediaUnread?: boolean | undefined;
  readonly forward?: Forward | undefined;
  readonly groupedId?: string | undefined;
  /** Set for a message of a linked device. */
  readonly sentBy?: StoredMessage["sentBy"] | undefined;
  /** Seconds since the message was written, 0 by default. */
  readonly age?: number | undefined;
  /** Set for a service message. */
  readonly action?: ServiceAction | undefined;
  /** Receivers of a basic group's message, if they differ from its current members. */
  readonly audience?: readonly number[] | undefined;
}

/** Copies messages between the accounts' boxes and pushes them to all devices. */
export class Delivery {
  readonly pushes: Pushes;

  constructor(private readonly world: World) {
    this.pushes = new Pushes(world);
  }

  /** Sends a message of the account to any chat. `key` is the sending device, which gets a response instead of a push. */
  send(account: Account, peer: MarkedId, draft: Draft, key?: AuthKey): StoredMessage {
    const { kind, id } = unmark(peer);
    if (kind === "channel") return this.postToChannel(this.channel(id), account.userId, draft, key);
    const message = account.box.add(stored(peer, account.userId, true, draft));
    this.tell(account, { key });
    if (kind === "user" && id !== account.userId) this.copy(account, message, [id], account.userId, draft);
    if (kind === "chat") this.copy(account, message, draft.audience ?? this.group(id).members.keys(), peer, draft);
    return message;
  }

  /** Adds another person's message to a chat of the account. */
  receive(account: Account, peer: MarkedId, from: number, draft: Draft): StoredMessage {
    const { kind, id } = unmark(peer);
    if (kind === "channel") return this.postToChannel(this.channel(id), from, draft);
    const author = this.world.accounts.ofUser(from);
    if (author !== undefined && author !== account) {
      const sent = this.send(this.world.opened(author), kind === "user" ? account.userId : peer, draft);
      const copy = sent.twins?.find((twin) => twin.account === account.account);
      const message = copy === undefined ? undefined : account.box.messages.get(copy.id);
      if (message !== undefined) return message;
    }
    const message = account.box.add(stored(peer, from, false, draft));
    this.tell(account);
    return message;
  }

  edit(account: Account, peer: MarkedId, id: number, draft: Draft, key?: AuthKey): StoredMessage | undefined {
    const change = {
      text: draft.text,
      editDate: unixNow(),
      entities: draft.entities ?? [],
      ...(draft.attachment && { attachment: draft.attachment }),
      ...(draft.invertMedia !== undefined && { invertMedia: draft.invertMedia }),
    };
    const channel = this.channelOf(peer);
    if (channel !== undefined) {
      const message = channel.history().edit(id, change);
      if (message !== undefined) this.tellChannel(channel, key);
      return message;
    }
    const message = account.box.edit(id, change);
    if (message === undefined) return undefined;
    this.tell(account, { key });
    for (const twin of message.twins ?? []) {
      const other = this.world.accounts.get(twin.account);
      if (other?.box.edit(twin.id, change) !== undefined) this.tell(other);
    }
    return message;
  }

  /** Sets the other side's reaction to a message; an empty one removes it. */
  react(account: Account, peer: MarkedId, id: number, reaction: string): StoredMessage | undefined {
    return this.reacted(account, peer, (box, each) => box.react(each, reaction, unixNow()), id);
  }

  /** Sets or removes the account's reaction. `key` is the acting device, which gets a response instead of a push. */
  reactAs(account: Account, peer: MarkedId, id: number, emoticon: string | undefined, key: AuthKey): StoredMessage | undefined {
    return this.reacted(account, peer, (box, each) => box.reactBy(each, account.userId, emoticon, unixNow()), id, key);
  }

  /** Sets or removes the reaction of a member of a group. */
  reactBy(account: Account, peer: MarkedId, id: number, from: number, emoticon: string | undefined): StoredMessage | undefined {
    return this.reacted(account, peer, (box, each) => box.reactBy(each, from, emoticon, unixNow()), id);
  }

  private reacted(
    account: Account,
    peer: MarkedId,
    apply: (box: MessageBox, id: number) => StoredMessage | undefined,
    id: number,
    key?: AuthKey,
  ): StoredMessage | undefined {
    const channel = this.channelOf(peer);
    if (channel !== undefined) {
      const message = apply(channel.history(), id);
      if (message !== undefined) this.tellChannel(channel, key);
      return message;
    }
    const message = apply(account.box, id);
    if (message === undefined) return undefined;
    this.tell(account, { key, reaction: true });
    for (const twin of message.twins ?? []) {
      const other = this.world.accounts.get(twin.account);
      if (other !== undefined && apply(other.box, twin.id) !== undefined) this.tell(other, { reaction: true });
    }
    return message;
  }

  /** Deletes messages for the account, and with `revoke` for everybody. Returns the ids that existed. */
  delete(account: Account, peer: MarkedId | undefined, ids: readonly number[], revoke: boolean, key?: AuthKey): number[] {
    const channel = peer === undefined ? undefined : this.channelOf(peer);
    if (channel !== undefined) {
      const gone = channel.history().delete(ids);
      if (gone.length > 0) this.tellChannel(channel, key);
      return gone.map(({ id }) => id);
    }
    const gone = account.box.delete(ids);
    if (gone.length > 0) this.tell(account, { key, gone });
    for (const twin of revoke ? gone.flatMap(({ twins }) => twins ?? []) : []) {
      const other = this.world.accounts.get(twin.account);
      const theirs = other?.box.delete([twin.id]) ?? [];
      if (other !== undefined && theirs.length > 0) this.tell(other, { gone: theirs });
    }
    return gone.map(({ id }) => id);
  }

  /** Marks a private chat or basic group as read up to `maxId`, and notifies the author. */
  read(account: Account, peer: MarkedId, maxId: number, key?: AuthKey): boolean {
    const changed = account.box.read("inbox", peer, maxId);
    if (!changed) return false;
    this.tell(account, { key });
    const author = this.world.accounts.ofUser(peer);
    const newest = account.box.messages.get(maxId)?.twins?.find((twin) => twin.account === author?.account);
    if (author !== undefined && newest !== undefined) this.wasRead(author, account.userId, newest.id);
    return true;
  }

  /** Marks the media of messages as played or viewed, and notifies the author. */
  readContents(account: Account, ids: readonly number[], key?: AuthKey): number {
    const read = account.box.readContents(ids);
    if (read.length > 0) this.tell(account, { key });
    for (const twin of read.flatMap(({ twins }) => twins ?? [])) {
      const other = this.world.accounts.get(twin.account);
      if (other?.box.messages.get(twin.id)?.out === true && other.box.readContents([twin.id]).length > 0) this.tell(other);
    }
    return read.length;
  }

  /** Marks the account's messages as read by the other side. */
  wasRead(account: Account, peer: MarkedId, maxId: number): boolean {
    const changed = account.box.read("outbox", peer, maxId);
    if (changed) this.tell(account);
    return changed;
  }

  /** Moves chats of the account, by marked id, into the archive (1) or out of it (0). */
  moveToFolders(account: Account, folders: readonly (readonly [MarkedId, number])[], key: AuthKey): LogEntry | undefined {
    for (const [peer, folder] of folders) {
      if (folder === 1) account.archived.add(peer);
      else account.archived.delete(peer);
    }
    account.box.moveToFolders(folders);
    this.tell(account, { key });
    return account.box.log.at(-1);
  }

  private postToChannel(channel: Channel, from: number, draft: Draft, key?: AuthKey): StoredMessage {
    const message = channel.history().add(stored(markChannel(channel.id), from, false, draft));
    this.tellChannel(channel, key);
    return message;
  }

  private copy(account: Account, message: StoredMessage, userIds: Iterable<number>, peer: MarkedId, draft: Draft): void {
    const twins: { account: string; id: number; box: StoredMessage }[] = [];
    const answered = draft.replyTo === undefined ? undefined : account.box.messages.get(draft.replyTo);
    for (const userId of userIds) {
      const other = this.world.accounts.ofUser(userId);
      if (other === undefined || other === account) continue;
      // Message ids differ per account, including the id of the replied-to message.
      const replyTo = answered?.twins?.find((twin) => twin.account === other.account)?.id;
      const copy = this.world
        .opened(other)
        .box.add(stored(peer, account.userId, false, { ...draft, replyTo, replyToPeer: undefined, sentBy: undefined }));
      twins.push({ account: other.account, id: copy.id, box: copy });
      this.tell(other);
    }
    const all = [{ account: account.account, id: message.id }, ...twins.map(({ account: name, id }) => ({ account: name, id }))];
    message.twins = all.slice(1);
    for (const { account: name, box } of twins) box.twins = all.filter((twin) => twin.account !== name);
  }

  /** Pushes the newest entry of the account's log to its devices, except to the acting device `key`. */
  private tell(account: Account, { key, gone, reaction = false }: Told = {}): void {
    this.world.changed("world");
    const entry = account.box.log.at(-1);
    if (entry === undefined) return;
    this.note(account, entry, { own: key !== undefined, gone: gone ?? [], reaction });
    this.pushes.push(account, () => tlPacket(this.world, account, entry), key);
  }

  private tellChannel(channel: Channel, except?: AuthKey): void {
    this.world.changed("world");
    const entry = channel.box.log.at(-1);
    if (entry === undefined) return;
    for (const userId of channel.joined.keys()) {
      const account = this.world.accounts.ofUser(userId);
      if (account !== undefined) this.pushes.push(account, () => tlPacket(this.world, account, entry, channel), except);
    }
  }

  /** Adds the entry to the list of events in private chats. */
  private note(
    account: Account,
    entry: LogEntry,
    { own, gone, reaction }: { own: boolean; gone: readonly StoredMessage[]; reaction: boolean },
  ): void {
    const { happenings } = this.world;
    const note = (chat: MarkedId, happening: Happening): void => {
      if (unmark(chat).kind === "user") happenings.add(account.account, { chat, pts: entry.pts, own }, happening);
    };
    switch (entry.kind) {
      case "new":
      case "edit": {
        const message = account.box.messages.get(entry.id);
        if (message === undefined || message.action !== undefined) return;
        const messageId = String(entry.id);
        if (reaction) return note(message.peer, { kind: "reacted", messageId });
        return note(message.peer, { kind: entry.kind === "new" ? "new" : "edited", messageId, text: message.text, out: message.out });
      }
      case "delete":
        for (const chat of new Set(gone.map(({ peer }) => peer)))
          note(chat, { kind: "deleted", messageIds: gone.filter(({ peer }) => peer === chat).map(({ id }) => String(id)) });
        return;
      case "read-inbox":
      case "read-outbox":
        return note(entry.peer, { kind: "read", until: String(entry.maxId), by: entry.kind === "read-inbox" ? "me" : "them" });
      case "contents":
      case "folders":
        return;
      default:
        entry satisfies never;
    }
  }

  private channelOf(peer: MarkedId): Channel | undefined {
    const { kind, id } = unmark(peer);
    return kind === "channel" ? this.channel(id) : undefined;
  }

  private channel(id: number): Channel {
    const channel = this.world.chats.channel(id);
    if (channel === undefined) throw new Error(`no channel ${id}`);
    return channel;
  }

  private group(id: number): BasicGroup {
    const group = this.world.chats.group(id);
    if (group === undefined) throw new Error(`no group ${id}`);
    return group;
  }
}

interface Told {
  readonly key?: AuthKey | undefined;
  /** Set for a deletion. */
  readonly gone?: readonly StoredMessage[];
  readonly reaction?: boolean;
}

function stored(peer: MarkedId, from: number, out: boolean, draft: Draft): Omit<StoredMessage, "id"> {
  const { text, entities, attachment, replyTo, replyToPeer, quote, forward, groupedId, sentBy, action } = draft;
  const { silent, noforwards, invertMedia, mediaUnread, age = 0 } = draft;
  return {
    date: unixNow() - age,
    peer,
    from,
    out,
    text,
    ...(entities && entities.length > 0 && { entities }),
    ...(attachment && { attachment }),
    ...(replyTo !== undefined && { replyTo }),
    ...(replyToPeer !== undefined && { replyToPeer }),
    ...(quote && { quote }),
    ...(silent === true && { silent }),
    ...(noforwards === true && { noforwards }),
    ...(invertMedia === true && { invertMedia }),
    ...(mediaUnread === true && { mediaUnread }),
    ...(forward && { forward }),
    ...(groupedId !== undefined && { groupedId }),
    ...(sentBy && { sentBy }),
    ...(action && { action }),
  };
}
