import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import type { BasicGroup, Channel } from "../world/chat.js";
import { markChannel, markChat, type MarkedId } from "../world/ids.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";

/** Returns the user of an input after checking its access hash. `error` is the error name for this argument. */
export function resolveUser(world: World, account: Account, input: unknown, error = "USER_ID_INVALID"): Person {
  if (input instanceof Api.InputUserSelf || input instanceof Api.InputPeerSelf) return account.person;
  if (!(input instanceof Api.InputUser || input instanceof Api.InputPeerUser)) throw new RpcFault(400, error);
  const person = world.accounts.person(input.userId.toJSNumber());
  if (person === undefined) throw new RpcFault(400, error);
  // Contacts need no hash, as on the real platform.
  const hash = input.accessHash.toString();
  const isKnown =
    hash === world.secrets.accessHash(account.account, "user", person.id) ||
    (hash === "0" && (account.contacts.has(person.id) || person.id === account.userId));
  if (!isKnown) throw new RpcFault(400, error);
  return person;
}

/** Returns a channel or supergroup that the account may read: joined or public. */
export function resolveChannel(world: World, account: Account, input: unknown): Channel {
  const channel = knownChannel(world, account, input);
  if (channel === undefined) throw new RpcFault(400, "CHANNEL_INVALID");
  const isOpen = channel.joined.has(account.userId) || channel.username !== undefined;
  if (!isOpen || channel.forbiddenTo.has(account.userId)) throw new RpcFault(400, "CHANNEL_PRIVATE");
  return channel;
}

/** Skips the membership check: a list may contain a channel that the account has left. */
export function knownChannel(world: World, account: Account, input: unknown): Channel | undefined {
  if (!(input instanceof Api.InputChannel || input instanceof Api.InputPeerChannel)) return undefined;
  const channel = world.chats.channel(input.channelId.toJSNumber());
  const hash = world.secrets.accessHash(account.account, "channel", input.channelId.toJSNumber());
  return hash === input.accessHash.toString() ? channel : undefined;
}

/** Returns a basic group of the account, also a former one. Groups need no hash. */
export function resolveGroup(world: World, account: Account, id: number): BasicGroup {
  const group = world.chats.group(id);
  const isKnown = group !== undefined && account.chats.has(markChat(id));
  if (!isKnown) throw new RpcFault(400, "CHAT_ID_INVALID");
  return group;
}

/** Returns a basic group that the account is in and that was not upgraded. */
export function resolveOwnGroup(world: World, account: Account, id: Api.long): BasicGroup {
  const group = resolveGroup(world, account, id.toJSNumber());
  if (group.migratedTo !== undefined) throw new RpcFault(400, "CHAT_ID_INVALID");
  if (!group.members.has(account.userId)) throw new RpcFault(403, "CHAT_WRITE_FORBIDDEN");
  return group;
}

export function resolvePeer(world: World, account: Account, input: unknown): MarkedId {
  if (input instanceof Api.InputPeerChannel) return markChannel(resolveChannel(world, account, input).id);
  if (input instanceof Api.InputPeerChat) {
    const group = world.chats.group(input.chatId.toJSNumber());
    if (group === undefined || !account.chats.has(markChat(group.id))) throw new RpcFault(400, "PEER_ID_INVALID");
    return markChat(group.id);
  }
  return resolveUser(world, account, input, "PEER_ID_INVALID").id;
}
