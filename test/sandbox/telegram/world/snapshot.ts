import typia from "typia";
import type { AccountDraft } from "./account-book.js";
import type { Account } from "./account.js";
import { markChannel } from "./ids.js";
import type { MediaOutline } from "./media-item.js";
import type { BoxChanges, MessageBox } from "./message-box.js";
import type { StoredStory } from "./stored-story.js";
import type { World } from "./world.js";

/**
 * What a restart must bring back besides the keys and the list of what was received; everything else is made again from the accounts'
 * indexes. One record per line of the file: each stands for itself, so the world may change while they are written.
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
      readonly phoneHidden?: boolean;
      readonly maxStories?: number;
      readonly stories?: readonly StoredStory[];
      readonly storiesRead?: readonly (readonly [number, number])[];
      readonly box?: BoxChanges;
    }
  /** An account that came into a channel, or left it when there is no date. */
  | { readonly record: "member"; readonly id: number; readonly account: string; readonly joinedAt?: number }
  | {
      readonly record: "channel";
      readonly id: number;
      /** An account that is or was in it. */ readonly member: string;
      readonly box: BoxChanges;
    };

const keptEntries = 500;
const isRecord = typia.createAssert<WorldRecord>();

export function* worldRecords(world: World): Generator<WorldRecord> {
  for (const account of world.accounts.all()) if (account.custom) yield { record: "account", draft: draftOf(account) };
  for (const [ownerId, version] of world.profilePhotos.replaced()) yield { record: "photo", ownerId, version };
  for (const item of world.media.exportUploads()) yield { record: "upload", item };
  for (const account of world.accounts.all()) {
    const { account: name, contacts, blocked, nextStoryId, seq, limited, premiumOnly, maxStories, stories, storiesRead, box } = account;
    if (!account.stocked || (!box.touched && nextStoryId === 1 && storiesRead.size === 0 && seq === 0 && !account.peopleChanged)) continue;
    const settings = {
      ...(limited && { limited }),
      ...(premiumOnly && { premiumOnly }),
      phoneHidden: account.person.phoneHidden,
      maxStories,
      stories: [...stories],
      storiesRead: [...storiesRead],
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
  for (const { id, moved } of world.chats.allChannels())
    for (const [userId, joinedAt] of moved) {
      const account = world.accounts.ofUser(userId)?.account;
      if (account !== undefined) yield { record: "member", id, account, ...(joinedAt > 0 && { joinedAt }) };
    }
  for (const { id, box, joined, moved } of world.chats.allChannels()) {
    if (!box.touched) continue;
    const member = [...joined.keys(), ...moved.keys()]
      .map((userId) => world.accounts.ofUser(userId))
      .find((account) => account !== undefined);
    if (member !== undefined) yield { record: "channel", id, member: member.account, box: changesOf(box) };
  }
}

/** Throws a TypeGuardError when a stored value is no record. */
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
      case "member": {
        const account = world.accounts.get(record.account);
        if (account !== undefined) restoreMember(world, world.opened(account), record);
        break;
      }
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
  account.person.phoneHidden = stored.phoneHidden ?? account.person.phoneHidden;
  account.maxStories = stored.maxStories ?? account.maxStories;
  account.stories = [...(stored.stories ?? [])];
  for (const [userId, maxId] of stored.storiesRead ?? []) account.storiesRead.set(userId, maxId);
  if (box !== undefined) account.box.restore(box);
}

function restoreMember(world: World, account: Account, { id, joinedAt }: Extract<WorldRecord, { record: "member" }>): void {
  const channel = world.chats.channel(id);
  if (channel === undefined) return;
  if (joinedAt === undefined) channel.leave(account.userId);
  else channel.join(account.userId, joinedAt);
  if (joinedAt === undefined) account.chats.delete(markChannel(id));
  else account.chats.add(markChannel(id));
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
