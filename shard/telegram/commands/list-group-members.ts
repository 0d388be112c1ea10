import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import type { CommandCall } from "../../session/command.js";
import { groupNotFound } from "../../../shared/contract/telegram/errors.js";
import type { GroupMember, GroupMemberQuery } from "../../../shared/contract/telegram/group.js";
import { groupMembersMax, listTimeoutMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";
import { toMember } from "../convert.js";
import type { TelegramConnector } from "../connector.js";
import { findGroup } from "./find-chat.js";

/**
 * GET /group/member: lists up to 10,000 members. For a group that hides them it fails with `400: CHAT_ADMIN_REQUIRED (caused by
 * channels.GetParticipants)`.
 */
export async function listGroupMembers(
  connector: TelegramConnector,
  { groupId }: GroupMemberQuery,
  { signal }: CommandCall,
): Promise<{ docs: GroupMember[] }> {
  const client = connector.connected();
  const group = await findGroup(connector, client, groupId, signal);
  return {
    docs: group instanceof Api.Chat ? await basicGroupMembers(client, group, signal) : await supergroupMembers(client, group, signal),
  };
}

const pageSize = 200;

async function basicGroupMembers(client: Client, group: Api.Chat, signal: Ending): Promise<GroupMember[]> {
  const { fullChat, users } = await client.invoke(new Api.messages.GetFullChat({ chatId: group.id }), {
    signal,
    deadlineMs: listTimeoutMs,
  });
  // `chatParticipantsForbidden`: the account is no longer in the group.
  if (!(fullChat instanceof Api.ChatFull) || !(fullChat.participants instanceof Api.ChatParticipants)) throw groupNotFound();
  const ids = fullChat.participants.participants.map((participant) => participant.userId.toString());
  return [...membersOf(ids, users).values()].slice(0, groupMembersMax);
}

/** Reads one page after another, because the next offset depends on the page before. */
async function supergroupMembers(client: Client, group: Api.Channel, signal: Ending): Promise<GroupMember[]> {
  const channel = new Api.InputChannel({ channelId: group.id, accessHash: group.accessHash ?? bigInt.zero });
  const members = new Map<string, GroupMember>();
  for (let offset = 0; members.size < groupMembersMax && offset < groupMembersMax; ) {
    const request = new Api.channels.GetParticipants({
      channel,
      filter: new Api.ChannelParticipantsRecent(),
      offset,
      limit: pageSize,
      hash: bigInt.zero,
    });
    const page = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
    if (page instanceof Api.channels.ChannelParticipantsNotModified || page.participants.length === 0) break;
    for (const [id, member] of membersOf(page.participants.flatMap(memberId), page.users)) members.set(id, member);
    offset += page.participants.length;
    if (offset >= page.count) break;
  }
  return [...members.values()].slice(0, groupMembersMax);
}

/** Restricted members are listed as "banned" and name a peer. Those who left or were removed are no members. */
function memberId(participant: Api.TypeChannelParticipant): string[] {
  if (participant instanceof Api.ChannelParticipantLeft) return [];
  if (!(participant instanceof Api.ChannelParticipantBanned)) return [participant.userId.toString()];
  const removed = participant.left === true || participant.bannedRights.viewMessages === true;
  return !removed && participant.peer instanceof Api.PeerUser ? [participant.peer.userId.toString()] : [];
}

function membersOf(ids: readonly string[], users: readonly Api.TypeUser[]): Map<string, GroupMember> {
  const byId = new Map(users.flatMap((user) => (user instanceof Api.User ? [[user.id.toString(), user] as const] : [])));
  const members = new Map<string, GroupMember>();
  for (const id of ids) {
    const user = byId.get(id);
    if (user !== undefined) members.set(id, toMember(user));
  }
  return members;
}
