import { Api } from "telegram";
import type { BasicGroup } from "../world/chat.js";
import { long } from "../world/ids.js";

export function tlGroupMembers(group: BasicGroup): Api.ChatParticipants {
  return new Api.ChatParticipants({
    chatId: long(group.id),
    participants: [...group.members].map(([id, date]) => tlGroupMember(group, id, date)),
    version: group.version,
  });
}

function tlGroupMember(group: BasicGroup, userId: number, date: number): Api.TypeChatParticipant {
  if (userId === group.creatorId) return new Api.ChatParticipantCreator({ userId: long(userId) });
  const fields = { userId: long(userId), inviterId: long(group.inviters.get(userId) ?? group.creatorId), date };
  return group.admins.has(userId) ? new Api.ChatParticipantAdmin(fields) : new Api.ChatParticipant(fields);
}
