import { Api } from "telegram";

/** Something that happened to messages of private chats. Dates are Unix seconds. */
export type Change =
  /** `missed`: told by a difference, where what this session sent itself stands among what others sent. */
  | { readonly kind: "new"; readonly message: Api.Message; readonly chat: string; readonly own: boolean; readonly missed: boolean }
  /** `since`: an edit dated well before this is not what the platform tells of. */
  | { readonly kind: "edited"; readonly message: Api.Message; readonly chat: string; readonly own: boolean; readonly since: number }
  /** The platform does not say in which chat. */
  | { readonly kind: "deleted"; readonly ids: readonly number[]; readonly date: number; readonly own: boolean }
  | {
      readonly kind: "read";
      readonly chat: string;
      readonly until: number;
      readonly by: "them" | "me";
      readonly date: number;
      readonly own: boolean;
    }
  /** This session sent a message; nobody is told of it, but its chat is remembered. */
  | { readonly kind: "sent"; readonly message: number; readonly chat: string };

/** Where an update came from. */
export interface Origin {
  /** Of the packet. */
  readonly date: number;
  /** The date from which on it tells of things. */
  readonly since: number;
  /** The result of a call of this session. */
  readonly own: boolean;
  readonly missed: boolean;
}

/** `undefined` for what no receiver is told of: groups, channels, notes of the service, everything that is no message. */
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

/** `undefined` for a message without an edit that people see: reactions and link previews carry no date of an edit, or are marked as not to be shown as one. */
export function editedMessage(message: Api.TypeMessage, { own, since }: Pick<Origin, "own" | "since">): Change | undefined {
  if (!(message instanceof Api.Message) || !(message.peerId instanceof Api.PeerUser) || !message.editDate || message.editHide === true)
    return undefined;
  return { kind: "edited", message, chat: message.peerId.userId.toString(), own, since };
}

export function newMessage(message: Api.TypeMessage, { own, missed }: Pick<Origin, "own" | "missed">): Change | undefined {
  if (!(message instanceof Api.Message) || !(message.peerId instanceof Api.PeerUser)) return undefined;
  return { kind: "new", message, chat: message.peerId.userId.toString(), own, missed };
}
