import { basicGroup, Channel, type AdminRights, type BannedName, type BasicGroup, type ChannelKind } from "./chat.js";
import { markChannel, markChat } from "./ids.js";
import { sees } from "./made-chats.js";
import type { World } from "./world.js";

/** Chat state that must survive a restart, besides messages: new and changed chats, and membership changes. */
export type ChatRecord =
  /** The lists contain user ids. */
  | {
      readonly record: "group";
      readonly id: number;
      readonly title: string;
      readonly date: number;
      readonly creatorId: number;
      readonly version: number;
      readonly members: readonly (readonly [number, number])[];
      readonly admins: readonly number[];
      readonly inviters: readonly (readonly [number, number])[];
      readonly left: readonly number[];
      readonly forbiddenTo: readonly number[];
      readonly migratedTo?: number;
      readonly about?: string;
      readonly banned?: readonly BannedName[];
      readonly ttlPeriod?: number;
    }
  /** A new or renamed channel or supergroup. */
  | {
      readonly record: "facts";
      readonly id: number;
      readonly type: ChannelKind;
      readonly title: string;
      readonly about: string;
      readonly date: number;
      readonly creatorId: number;
      readonly migratedFrom?: number;
      readonly banned?: readonly BannedName[];
      readonly ttlPeriod?: number;
      readonly joinRequest?: true;
      /** Name of a current or former member's account. */
      readonly member?: string;
    }
  /** A change of an administrator in a channel. Without rights, the person is no administrator any more. */
  | { readonly record: "admin"; readonly id: number; readonly userId: number; readonly rights?: AdminRights }
  /** An account that joined a channel, or left it if `joinedAt` is absent. */
  | { readonly record: "member"; readonly id: number; readonly account: string; readonly joinedAt?: number; readonly forbidden?: true }
  /** The same for a person without an account. */
  | { readonly record: "guest"; readonly id: number; readonly userId: number; readonly joinedAt?: number; readonly forbidden?: true };

export function* chatRecords({ chats, accounts }: World): Generator<ChatRecord> {
  for (const group of chats.allGroups()) if (group.changed) yield groupRecord(group);
  for (const channel of chats.allChannels()) {
    const { id, type, title, about, date, creatorId, changed, migratedFrom, banned, ttlPeriod, joinRequest } = channel;
    const member = changed ? accountIn(accounts, channel) : undefined;
    const settings = { banned: [...banned], ttlPeriod, ...(joinRequest && { joinRequest: true as const }) };
    const more = { ...settings, ...(migratedFrom !== undefined && { migratedFrom }), ...(member !== undefined && { member }) };
    if (changed) yield { record: "facts", id, type, title, about, date, creatorId, ...more };
  }
  for (const { id, moved, forbiddenTo } of chats.allChannels())
    for (const [userId, joinedAt] of moved) {
      const account = accounts.ofUser(userId)?.account;
      const state = { id, ...(joinedAt > 0 && { joinedAt }), ...(forbiddenTo.has(userId) && { forbidden: true as const }) };
      yield account === undefined ? { record: "guest", userId, ...state } : { record: "member", account, ...state };
    }
}

/** Must be restored after the membership records: a person who left is no administrator. */
export function* adminRecords({ chats }: World): Generator<ChatRecord> {
  for (const { id, appointed } of chats.allChannels())
    for (const [userId, rights] of appointed) yield { record: "admin", id, userId, ...(rights && { rights }) };
}

/** Returns the account name of a current or former member. */
export function accountIn(accounts: World["accounts"], { joined, moved }: Channel): string | undefined {
  for (const userId of [...joined.keys(), ...moved.keys()]) {
    const account = accounts.ofUser(userId);
    if (account !== undefined) return account.account;
  }
  return undefined;
}

export function restoreChat(world: World, record: ChatRecord): void {
  switch (record.record) {
    case "group":
      return restoreGroup(world, record);
    case "facts":
      return restoreFacts(world, record);
    case "member": {
      const account = world.accounts.get(record.account);
      if (account !== undefined) restoreMember(world, world.opened(account).userId, record);
      return;
    }
    case "admin":
      return world.chats.channel(record.id)?.appoint(record.userId, record.rights);
    case "guest":
      return restoreMember(world, record.userId, record);
    default:
      record satisfies never;
  }
}

type Stored<Kind extends ChatRecord["record"]> = Extract<ChatRecord, { record: Kind }>;

function groupRecord({ members, admins, inviters, left, forbiddenTo, banned, ...group }: BasicGroup): ChatRecord {
  const { id, title, date, creatorId, version, migratedTo, about, ttlPeriod } = group;
  return {
    ...{ record: "group", id, title, date, creatorId, version, about, ttlPeriod },
    banned: [...banned],
    ...(migratedTo !== undefined && { migratedTo }),
    members: [...members],
    admins: [...admins],
    inviters: [...inviters],
    left: [...left],
    forbiddenTo: [...forbiddenTo],
  };
}

function restoreGroup(world: World, stored: Stored<"group">): void {
  const { id, title, date, creatorId, version, migratedTo, about, banned = [], ttlPeriod = 0 } = stored;
  const known = [...stored.members.map(([userId]) => userId), ...stored.left, ...stored.forbiddenTo];
  // Creates the members' own chats first, which may include this group.
  for (const userId of known) sees(world, userId, markChat(id));
  const old = world.chats.group(id);
  const facts = {
    members: new Map(stored.members),
    admins: new Set(stored.admins),
    inviters: new Map(stored.inviters),
    left: new Set(stored.left),
    forbiddenTo: new Set(stored.forbiddenTo),
    banned: new Set(banned),
    ttlPeriod,
    ...(about !== undefined && { about }),
    ...(migratedTo !== undefined && { migratedTo }),
  };
  world.chats.addGroup(basicGroup({ hasPhoto: false, ...old, id, title, date, creatorId, version, changed: true, ...facts }));
}

function restoreFacts(world: World, stored: Stored<"facts">): void {
  const { id, type, title, about, date, creatorId, member, migratedFrom, banned, ttlPeriod = 0, joinRequest = false } = stored;
  // Creates the member's own chats first, which may include this channel.
  const account = member === undefined ? undefined : world.accounts.get(member);
  if (account !== undefined) world.opened(account);
  const channel = world.chats.channel(id) ?? new Channel({ id, type, title, about, date, creatorId, hasPhoto: false });
  channel.title = title;
  channel.about = about;
  if (banned !== undefined) channel.banned = new Set(banned);
  Object.assign(channel, { ttlPeriod, joinRequest });
  channel.changed = true;
  channel.migratedFrom = migratedFrom;
  world.chats.addChannel(channel);
}

function restoreMember(
  world: World,
  userId: number,
  { id, joinedAt, forbidden }: Pick<Stored<"member">, "id" | "joinedAt" | "forbidden">,
): void {
  const channel = world.chats.channel(id);
  if (channel === undefined) return;
  if (joinedAt !== undefined) channel.join(userId, joinedAt);
  else if (forbidden === true) channel.ban(userId);
  else channel.leave(userId);
  if (forbidden !== true) channel.forbiddenTo.delete(userId);
  const chats = world.accounts.ofUser(userId)?.chats;
  if (joinedAt === undefined) chats?.delete(markChannel(id));
  else chats?.add(markChannel(id));
}
