import { Api } from "telegram";

/** A change to messages of private chats. Dates are in Unix seconds. */
export type Change =
  /** `missed`: comes from a difference, which lists this session's own messages among those of others. */
  | { readonly kind: "new"; readonly message: Api.Message; readonly chat: string; readonly own: boolean; readonly missed: boolean }
  /** `since`: an edit dated well before this is an old one that the platform repeats with another change, such as a reaction. */
  | { readonly kind: "edited"; readonly message: Api.Message; readonly chat: string; readonly own: boolean; readonly since: number }
  /** The platform does not name the chat. */
  | { readonly kind: "deleted"; readonly ids: readonly number[]; readonly date: number; readonly own: boolean }
  | {
      readonly kind: "read";
      readonly chat: string;
      readonly until: number;
      readonly by: "them" | "me";
      readonly date: number;
      readonly own: boolean;
    }
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

/** Returns `undefined` for updates without an event: groups, channels, service notes, and anything that is no message. */
export function toChange(update: Api.TypeUpdate, { date, since, own, missed }: Origin): Change | undefined {
  if (update instanceof Api.UpdateNewMessage) return newMessage(update.message, { own, missed });
  if (update instanceof Api.UpdateEditMessage) return editedMessage(update.message, { own, since });
  if (update instanceof Api.UpdateDeleteMessages) return { kind: "deleted", ids: update.messages, date, own };
  if (update instanceof Api.UpdateReadHistoryOutbox && update.peer instanceof Api.PeerUser)
    return { kind: "read", chat: update.peer.userId.toString(), until: update.maxId, by: "them", date, own };
  if (update instanceof Api.UpdateReadHistoryInbox && update.peer instanceof Api.PeerUser)
    return { kind: "read", chat: update.peer.userId.toString(), until: update.maxId, by: "me", date, own };
  return undefined;
}

/** Returns `undefined` without a visible edit: for reactions and link previews, the edit date is missing or marked as hidden. */
export function editedMessage(message: Api.TypeMessage, { own, since }: Pick<Origin, "own" | "since">): Change | undefined {
  if (!(message instanceof Api.Message) || !(message.peerId instanceof Api.PeerUser) || !message.editDate || message.editHide === true)
    return undefined;
  return { kind: "edited", message, chat: message.peerId.userId.toString(), own, since };
}

export function newMessage(message: Api.TypeMessage, { own, missed }: Pick<Origin, "own" | "missed">): Change | undefined {
  if (!(message instanceof Api.Message) || !(message.peerId instanceof Api.PeerUser)) return undefined;
  return { kind: "new", message, chat: message.peerId.userId.toString(), own, missed };
}
