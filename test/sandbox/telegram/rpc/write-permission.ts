import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import { unixNow, unmark, type MarkedId } from "../world/ids.js";
import type { World } from "../world/world.js";

/** Throws the platform's error if the account may not write there. Only "write" starts the slow-mode interval. */
export function checkMayWrite(world: World, account: Account, peer: MarkedId, purpose: "write" | "look"): void {
  const { kind, id } = unmark(peer);
  if (kind === "user") return checkPerson(world, account, id);
  if (kind === "chat") {
    const group = world.chats.group(id);
    if (group === undefined || group.migratedTo !== undefined) throw new RpcFault(400, "PEER_ID_INVALID");
    const isBanned = group.banned.has("sendMessages") && group.creatorId !== account.userId && !group.admins.has(account.userId);
    if (isBanned || !group.members.has(account.userId)) throw new RpcFault(403, "CHAT_WRITE_FORBIDDEN");
    return;
  }
  const channel = world.chats.channel(id);
  if (channel === undefined) throw new RpcFault(400, "CHANNEL_INVALID");
  if (channel.broadcast) {
    if (!channel.mayPost(account.userId)) throw new RpcFault(400, "CHAT_ADMIN_REQUIRED");
    return;
  }
  if (!channel.joined.has(account.userId) || !channel.mayPost(account.userId)) throw new RpcFault(403, "CHAT_WRITE_FORBIDDEN");
  if (purpose === "look" || channel.slowmodeSeconds === 0 || channel.isAdmin(account.userId)) return;
  const now = unixNow();
  const wait = (channel.lastSentAt.get(account.userId) ?? 0) + channel.slowmodeSeconds - now;
  if (wait > 0) throw new RpcFault(420, `SLOWMODE_WAIT_${wait}`);
  channel.lastSentAt.set(account.userId, now);
}

function checkPerson(world: World, account: Account, id: number): void {
  if (world.accounts.person(id)?.deleted === true) throw new RpcFault(400, "INPUT_USER_DEACTIVATED");
  if (account.blocked.has(id)) throw new RpcFault(400, "YOU_BLOCKED_USER");
  const other = world.accounts.ofUser(id);
  if (other?.blocked.has(account.userId) === true) throw new RpcFault(400, "USER_IS_BLOCKED");
  if (other?.premiumOnly === true && !other.contacts.has(account.userId) && id !== account.userId)
    throw new RpcFault(406, "PRIVACY_PREMIUM_REQUIRED");
  const isStranger =
    !account.contacts.has(id) &&
    id !== account.userId &&
    !account.box.idsOf(id).some((each) => account.box.messages.get(each)?.out === false);
  const isLimited = account.limited || world.faults.holding("restricted", account.account) !== undefined;
  if (isLimited && isStranger) throw new RpcFault(400, "PEER_FLOOD");
}
