import typia from "typia";
import type { AccountDraft } from "./account-book.js";
import type { Account, ContactName, StoredDraft } from "./account.js";
import { accountIn, adminRecords, chatRecords, restoreChat, type ChatRecord } from "./chat-records.js";
import type { MediaOutline } from "./media-item.js";
import type { Invite } from "./invites.js";
import type { BoxChanges, MessageBox } from "./message-box.js";
import type { StoredPoll } from "./poll.js";
import type { StoredStory } from "./stored-story.js";
import type { World } from "./world.js";

/**
 * World state that must survive a restart, besides keys and received messages. The rest is computed again from the accounts' indexes.
 * Records are independent, so the world may change while they are written.
 */
export type WorldRecord =
  | { readonly record: "account"; readonly draft: AccountDraft }
  | { readonly record: "upload"; readonly item: MediaOutline }
  | { readonly record: "photo"; readonly ownerId: number; readonly version: number }
  | {
      readonly record: "details";
      readonly account: string;
      readonly contacts: readonly number[];
      readonly blocked: readonly number[];
      readonly nextStoryId: number;
      readonly seq?: number;
      readonly limited?: true;
      readonly premiumOnly?: true;
      readonly contactsInvite?: true;
      readonly archived?: readonly number[];
      readonly pinned?: readonly number[];
      readonly drafts?: readonly (readonly [number, StoredDraft])[];
      readonly contactNames?: readonly (readonly [number, ContactName])[];
      readonly name?: ContactName;
      readonly about?: string;
      readonly phoneHidden?: boolean;
      readonly maxStories?: number;
      readonly stories?: readonly StoredStory[];
      readonly storiesRead?: readonly (readonly [number, number])[];
      readonly box?: BoxChanges;
    }
  | ChatRecord
  | { readonly record: "poll"; readonly poll: StoredPoll }
  /** Links into a group or channel, by its marked id. */
  | { readonly record: "invites"; readonly peer: number; readonly invites: readonly Invite[] }
  | {
      readonly record: "channel";
      readonly id: number;
      /** Name of a current or former member's account. */
      readonly member: string;
      readonly box: BoxChanges;
    };

const keptEntries = 500;
const isRecord = typia.createAssert<WorldRecord>();

export function* worldRecords(world: World): Generator<WorldRecord> {
  for (const account of world.accounts.all()) if (account.custom) yield { record: "account", draft: draftOf(account) };
  for (const [ownerId, version] of world.profilePhotos.replaced()) yield { record: "photo", ownerId, version };
  for (const item of world.media.exportUploads()) yield { record: "upload", item };
  for (const account of world.accounts.all()) {
    const { account: name, contacts, blocked, nextStoryId, seq, maxStories, stories, storiesRead, box } = account;
    const { limited, premiumOnly, contactsInvite } = account;
    if (!account.stocked || (!box.touched && nextStoryId === 1 && storiesRead.size === 0 && seq === 0 && !account.peopleChanged)) continue;
    const settings = {
      ...(limited && { limited }),
      ...(premiumOnly && { premiumOnly }),
      ...(contactsInvite && { contactsInvite }),
      name: { firstName: account.person.firstName, lastName: account.person.lastName },
      ...(account.about !== undefined && { about: account.about }),
      phoneHidden: account.person.phoneHidden,
      maxStories,
      stories: [...stories],
      storiesRead: [...storiesRead],
      archived: [...account.archived],
      pinned: [...account.pinned],
      drafts: [...account.drafts],
      contactNames: [...account.contactNames],
    };
    yield {
      record: "details",
      account: name,
      contacts: [...contacts],
      blocked: [...blocked],
      nextStoryId,
      seq,
      ...settings,
      ...(box.touched && { box: changesOf(box) }),
    };
  }
  for (const poll of world.polls.all()) yield { record: "poll", poll };
  for (const [peer, invites] of world.invites.all()) yield { record: "invites", peer, invites };
  yield* chatRecords(world);
  yield* adminRecords(world);
  for (const channel of world.chats.allChannels()) {
    const { id, box } = channel;
    const member = box.touched ? accountIn(world.accounts, channel) : undefined;
    if (member !== undefined) yield { record: "channel", id, member, box: changesOf(box) };
  }
}

/** Throws a TypeGuardError when a stored value is no valid record. */
export function restoreWorld(world: World, stored: readonly unknown[]): void {
  const uploads: MediaOutline[] = [];
  for (const value of stored) {
    const record = isRecord(value);
    switch (record.record) {
      case "account":
        world.accounts.create(record.draft);
        break;
      case "upload":
        uploads.push(record.item);
        break;
      case "photo":
        world.profilePhotos.restore(record.ownerId, record.version);
        break;
      case "details": {
        const account = world.accounts.get(record.account);
        if (account !== undefined) restoreAccount(world.opened(account), record);
        break;
      }
      case "poll":
        world.polls.restore(record.poll);
        break;
      case "invites":
        world.invites.restore(record.peer, record.invites);
        break;
      case "group":
      case "facts":
      case "member":
      case "guest":
      case "admin":
        restoreChat(world, record);
        break;
      case "channel": {
        const member = world.accounts.get(record.member);
        if (member !== undefined) world.opened(member);
        world.chats.channel(record.id)?.history().restore(record.box);
        break;
      }
      default:
        record satisfies never;
    }
  }
  world.media.importUploads(uploads);
}

function restoreAccount(account: Account, stored: Extract<WorldRecord, { record: "details" }>): void {
  const { contacts, blocked, nextStoryId, box } = stored;
  account.contacts.clear();
  account.blocked.clear();
  for (const id of contacts) account.contacts.add(id);
  for (const id of blocked) account.blocked.add(id);
  account.peopleChanged = true;
  account.nextStoryId = nextStoryId;
  account.seq = stored.seq ?? account.seq;
  account.limited = stored.limited ?? account.limited;
  account.premiumOnly = stored.premiumOnly ?? account.premiumOnly;
  account.contactsInvite = stored.contactsInvite ?? account.contactsInvite;
  account.about = stored.about;
  Object.assign(account.person, stored.name);
  account.person.phoneHidden = stored.phoneHidden ?? account.person.phoneHidden;
  account.maxStories = stored.maxStories ?? account.maxStories;
  account.stories = [...(stored.stories ?? [])];
  for (const [userId, maxId] of stored.storiesRead ?? []) account.storiesRead.set(userId, maxId);
  for (const peer of stored.pinned ?? []) account.pinned.add(peer);
  if (stored.archived !== undefined) {
    account.archived.clear();
    for (const peer of stored.archived) account.archived.add(peer);
  }
  for (const [peer, draft] of stored.drafts ?? []) account.drafts.set(peer, draft);
  for (const [userId, name] of stored.contactNames ?? []) account.contactNames.set(userId, name);
  if (box !== undefined) account.box.restore(box);
}

function draftOf({ account, index, dcId, person, password, hint, stock }: Account): AccountDraft {
  const { firstName, lastName, username, phone } = person;
  return {
    account,
    index,
    dcId,
    firstName,
    lastName,
    stock,
    custom: true,
    ...(username !== undefined && { username }),
    ...(phone !== undefined && { phone }),
    ...(password !== undefined && { password }),
    ...(hint !== undefined && { hint }),
  };
}

function changesOf(box: MessageBox): BoxChanges {
  const { pts, nextId, messages, deleted, readInbox, readOutbox, log } = box;
  return {
    pts,
    nextId,
    messages: [...messages.values()].filter(({ seeded, editDate }) => seeded !== true || editDate !== undefined),
    deleted: [...deleted],
    readInbox: [...readInbox],
    readOutbox: [...readOutbox],
    log: log.slice(-keptEntries),
  };
}
