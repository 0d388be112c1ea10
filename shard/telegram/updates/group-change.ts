import { Api } from "telegram";
import type { ChangedGroup } from "../../../shared/contract/telegram/webhook-body.js";
import { channelMark } from "../chats/chat-reference.js";

/** Returns what a group's service message says; `undefined` if it is no change of the group. `author`: its marked id. */
export function groupChangeOf(
  { action, replyTo }: Api.MessageService,
  author: string,
): Pick<ChangedGroup, "change" | "members" | "value"> | undefined {
  const changed = (change: string, members: string[] = [], value = ""): Pick<ChangedGroup, "change" | "members" | "value"> => ({
    change,
    members: members.slice(0, membersMax),
    value,
  });
  if (action instanceof Api.MessageActionChatCreate) return changed("create", action.users.map(String), action.title);
  if (action instanceof Api.MessageActionChannelCreate) return changed("create", [], action.title);
  if (action instanceof Api.MessageActionChatAddUser) return changed("add", action.users.map(String));
  if (action instanceof Api.MessageActionChatJoinedByLink || action instanceof Api.MessageActionChatJoinedByRequest)
    return changed("add", [author]);
  if (action instanceof Api.MessageActionChatDeleteUser) {
    const member = action.userId.toString();
    return changed(member === author ? "leave" : "remove", [member]);
  }
  if (action instanceof Api.MessageActionChatEditTitle) return changed("subject", [], action.title);
  if (action instanceof Api.MessageActionChatEditPhoto || action instanceof Api.MessageActionChatDeletePhoto) return changed("picture");
  if (action instanceof Api.MessageActionPinMessage && replyTo instanceof Api.MessageReplyHeader && replyTo.replyToMsgId)
    return changed("pin", [], String(replyTo.replyToMsgId));
  if (action instanceof Api.MessageActionChatMigrateTo) return changed("upgrade", [], channelMark(action.channelId));
  return undefined;
}

const membersMax = 1_000;
