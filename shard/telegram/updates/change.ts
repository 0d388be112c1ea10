import { Api } from "telegram";
import { markOfPeer } from "../convert.js";
import { channelMark, chatMark, splitMarkedId } from "../chats/chat-reference.js";

/** A change in the account's chats. `chat` is a marked id. Dates are in Unix seconds. */
export type Change =
  /** `missed`: comes from a difference, which lists this session's own messages among those of others. */
  | { readonly kind: "new"; readonly message: Api.Message; readonly chat: string; readonly own: boolean; readonly missed: boolean }
  /** `since`: an edit dated well before this is an old one that the platform repeats with another change, such as a reaction. */
  | { readonly kind: "edited"; readonly message: Api.Message; readonly chat: string; readonly own: boolean; readonly since: number }
  /** The platform names the chat only if it is a channel or supergroup. */
  | { readonly kind: "deleted"; readonly ids: readonly number[]; readonly date: number; readonly own: boolean; readonly chat?: string }
  | {
      readonly kind: "read";
      readonly chat: string;
      readonly until: number;
      readonly by: "them" | "me";
      readonly date: number;
      readonly own: boolean;
    }
  /** All reactions to a message after a change. Also reported for other changes of the message. `since` as in `edited`. */
  | {
      readonly kind: "reacted";
      readonly chat: string;
      readonly message: number;
      readonly reactions: Api.MessageReactions | undefined;
      readonly date: number;
      readonly since: number;
      readonly own: boolean;
    }
  /** A service message of a group. */
  | { readonly kind: "service"; readonly message: Api.MessageService; readonly chat: string; readonly own: boolean }
  /** A member of a basic group became an administrator, or is none any more. `version` grows with each change of the group. */
  | {
      readonly kind: "role";
      readonly chat: string;
      readonly member: string;
      readonly isAdmin: boolean;
      readonly version: number;
      readonly date: number;
      readonly own: boolean;
    }
  /** The results of a poll changed. The platform does not say who voted. */
  | { readonly kind: "poll"; readonly poll: string; readonly date: number; readonly own: boolean }
  /** This session sent a message. Produces no event, but its chat is remembered. */
  | { readonly kind: "sent"; readonly message: number; readonly chat: string };

/** The source of an update. */
export interface Origin {
  /** Date of the packet. */
  readonly date: number;
  /** Start of the period that the packet covers. */
  readonly since: number;
  /** True for the result of a call of this session. */
  readonly own: boolean;
  readonly missed: boolean;
}

/** Returns the changes of an update; none for updates without an event. */
export function toChanges(update: Api.TypeUpdate, origin: Origin): readonly Change[] {
  const { date, own } = origin;
  if (update instanceof Api.UpdateNewMessage || update instanceof Api.UpdateNewChannelMessage) return newMessage(update.message, origin);
  if (update instanceof Api.UpdateEditMessage || update instanceof Api.UpdateEditChannelMessage)
    return editedMessage(update.message, origin);
  if (update instanceof Api.UpdateDeleteMessages) return [{ kind: "deleted", ids: update.messages, date, own }];
  if (update instanceof Api.UpdateDeleteChannelMessages)
    return [{ kind: "deleted", ids: update.messages, date, own, chat: channelMark(update.channelId) }];
  if (update instanceof Api.UpdateReadHistoryOutbox && update.peer instanceof Api.PeerUser)
    return [{ kind: "read", chat: update.peer.userId.toString(), until: update.maxId, by: "them", date, own }];
  if (update instanceof Api.UpdateReadHistoryInbox && update.peer instanceof Api.PeerUser)
    return [{ kind: "read", chat: update.peer.userId.toString(), until: update.maxId, by: "me", date, own }];
  return uncountedChanges(update, origin);
}

/** Returns the changes of an update that no count orders. */
export function uncountedChanges(update: Api.TypeUpdate, { date, since, own }: Origin): readonly Change[] {
  if (update instanceof Api.UpdateMessageReactions)
    return [{ kind: "reacted", chat: markOfPeer(update.peer), message: update.msgId, reactions: update.reactions, date, since, own }];
  if (update instanceof Api.UpdateMessagePoll) return [{ kind: "poll", poll: update.pollId.toString(), date, own }];
  if (update instanceof Api.UpdateChatParticipantAdmin)
    return [
      {
        kind: "role",
        chat: chatMark(update.chatId),
        member: update.userId.toString(),
        isAdmin: update.isAdmin,
        version: update.version,
        date,
        own,
      },
    ];
  return [];
}

/** Returns no edit without a visible one: for reactions and link previews, the edit date is missing or marked as hidden. */
export function editedMessage(message: Api.TypeMessage, { own, date, since }: Omit<Origin, "missed">): readonly Change[] {
  if (!(message instanceof Api.Message)) return [];
  const chat = markOfPeer(message.peerId);
  // Channels do not say who reacted.
  const reacted: readonly Change[] =
    message.post === true
      ? []
      : [{ kind: "reacted", chat, message: message.id, reactions: message.reactions ?? undefined, date, since, own }];
  return message.editDate && message.editHide !== true ? [{ kind: "edited", message, chat, own, since }, ...reacted] : reacted;
}

/** Returns the chats of messages whose id alone names them, by message id. A later deletion names no chat. */
export function remembered(changes: readonly Change[]): Map<string, string> {
  const chats = new Map<string, string>();
  for (const change of changes) {
    if (change.kind === "sent") chats.set(String(change.message), change.chat);
    else if ((change.kind === "new" || change.kind === "edited") && splitMarkedId(change.chat).kind !== "channel")
      chats.set(String(change.message.id), change.chat);
  }
  return chats;
}

export function newMessage(message: Api.TypeMessage, { own, missed }: Pick<Origin, "own" | "missed">): readonly Change[] {
  if (message instanceof Api.Message) return [{ kind: "new", message, chat: markOfPeer(message.peerId), own, missed }];
  if (message instanceof Api.MessageService && message.post !== true && !(message.peerId instanceof Api.PeerUser))
    return [{ kind: "service", message, chat: markOfPeer(message.peerId), own }];
  return [];
}
