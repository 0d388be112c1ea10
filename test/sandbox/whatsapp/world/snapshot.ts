import typia from "typia";
import type { AddressBookEntry } from "../whatsapp-backend.js";
import type { Account, AccountOptions, StatusPrivacy } from "./account.js";
import { type ChannelChanges, newChannel, type Post } from "./channel.js";
import { type GroupChanges, newGroup } from "./group.js";
import { personOf } from "./person.js";
import type { World } from "./world.js";

/** World state that must survive a restart. The rest is computed again from the accounts' indexes. */
export type WorldRecord =
  | { readonly record: "account"; readonly options: Stored<AccountOptions> }
  | {
      readonly record: "details";
      readonly account: string;
      readonly pushName: string;
      readonly firstSync: AccountOptions["firstSync"];
      readonly contacts: readonly AddressBookEntry[];
      readonly blocked: readonly string[];
      /** Missing in records of former versions. */
      readonly about?: string;
      readonly lidMigrated?: boolean;
      readonly timers?: readonly (readonly [string, number])[];
      /** Null if the platform has no setting. */
      readonly statusPrivacy: StatusPrivacy | null;
    }
  | { readonly record: "group"; readonly id: string; readonly made?: MadeChat; readonly changes: GroupChanges }
  | { readonly record: "channel"; readonly id: string; readonly made?: MadeChat; readonly changes: ChannelChanges }
  | { readonly record: "picture"; readonly jid: string; readonly version: number }
  | { readonly record: "hidden-number"; readonly phone: string }
  | { readonly record: "default-timer"; readonly phone: string; readonly seconds: number; readonly setAt: number }
  | { readonly record: "posts"; readonly channel: string; readonly posts: readonly StoredPost[] };

/** A group or channel that no seed contains. */
interface MadeChat {
  /** Phone number. */
  readonly owner: string;
  readonly created: number;
}

/** The JSON form, which omits undefined fields. */
type Stored<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly businessName?: string;
  readonly lidMigrated?: boolean;
  readonly saltInHistory?: boolean;
};

interface StoredPost extends Omit<Post, "message"> {
  /** Base64; absent for a deleted post. */
  readonly message?: string;
}

const isRecord = typia.createAssert<WorldRecord>();

export function* worldRecords(world: World): Generator<WorldRecord> {
  for (const { options } of world.accounts.all()) {
    const { businessName, lidMigrated, saltInHistory, ...rest } = options;
    const more = {
      ...(businessName !== undefined && { businessName }),
      ...(lidMigrated !== undefined && { lidMigrated }),
      ...(saltInHistory !== undefined && { saltInHistory }),
    };
    if (options.custom) yield { record: "account", options: { ...rest, ...more } };
  }
  for (const account of world.accounts.all()) if (account.changed) yield details(account);
  for (const { id, options, changes } of world.allGroups())
    if (changes !== undefined)
      yield { record: "group", id, changes, ...(options.made && { made: { owner: options.owner.phone, created: options.created ?? 0 } }) };
  for (const [phone, timer] of world.defaultTimers) yield { record: "default-timer", phone, ...timer };
  for (const phone of world.hiddenNumbers) yield { record: "hidden-number", phone };
  for (const [jid, version] of world.pictures) yield { record: "picture", jid, version };
  for (const { id, newPosts, options, changes } of world.allChannels()) {
    if (changes !== undefined)
      yield { record: "channel", id, changes, ...(options.made && { made: { owner: options.owner.phone, created: options.created } }) };
    if (newPosts.length > 0)
      yield {
        record: "posts",
        channel: id,
        posts: newPosts.map(({ message, ...post }) => ({ ...post, ...(message !== undefined && { message: message.toString("base64") }) })),
      };
  }
}

/** Throws a TypeGuardError when a stored value is no valid record. */
export function restoreWorld(world: World, stored: readonly unknown[]): void {
  for (const value of stored) {
    const record = isRecord(value);
    switch (record.record) {
      case "account":
        world.accounts.create(record.options);
        break;
      case "details": {
        const account = world.accounts.get(record.account);
        if (account === undefined) break;
        account.changed = true;
        account.pushName = record.pushName;
        account.about = record.about ?? account.about;
        account.firstSync = record.firstSync;
        account.statusPrivacy = record.statusPrivacy ?? undefined;
        account.lidMigrated = record.lidMigrated ?? account.lidMigrated;
        account.contacts.clear();
        for (const entry of record.contacts) account.contacts.set(entry.phone, entry);
        account.blocked.clear();
        for (const jid of record.blocked) account.blocked.add(jid);
        account.timers.clear();
        for (const [phone, seconds] of record.timers ?? []) account.timers.set(phone, seconds);
        break;
      }
      case "group": {
        const { id, made, changes } = record;
        const group = made === undefined ? world.group(id) : newGroup({ id, owner: personOf(made.owner), created: made.created });
        if (group === undefined) break;
        const before = [...group.accounts()];
        group.restore(changes);
        for (const { phone } of before) if (!group.has({ phone })) world.accounts.ofPhone(phone)?.groups.delete(id);
        world.addGroup(group);
        break;
      }
      case "channel": {
        const { id, made, changes } = record;
        const options = made && { id, owner: personOf(made.owner), created: made.created };
        const channel = options === undefined ? world.channel(id) : newChannel(options, world.startedAt);
        if (channel === undefined) break;
        for (const { phone } of channel.people()) world.accounts.ofPhone(phone)?.channels.delete(id);
        channel.restoreChanges(changes);
        world.addChannel(channel);
        break;
      }
      case "picture":
        world.pictures.set(record.jid, record.version);
        break;
      case "hidden-number":
        world.hiddenNumbers.add(record.phone);
        break;
      case "default-timer":
        world.defaultTimers.set(record.phone, { seconds: record.seconds, setAt: record.setAt });
        break;
      case "posts":
        world.channel(record.channel)?.restore(
          record.posts.map(({ message, ...post }) => ({
            ...post,
            message: message === undefined ? undefined : Buffer.from(message, "base64"),
          })),
        );
        break;
      default:
        record satisfies never;
    }
  }
}

function details({ account, pushName, about, firstSync, lidMigrated, contacts, blocked, timers, statusPrivacy }: Account): WorldRecord {
  return {
    record: "details",
    account,
    pushName,
    about,
    firstSync,
    lidMigrated,
    contacts: [...contacts.values()],
    blocked: [...blocked],
    timers: [...timers],
    statusPrivacy: statusPrivacy ?? null,
  };
}
