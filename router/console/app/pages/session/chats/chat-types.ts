import type * as telegram from "../../../../../../shared/contract/telegram/chat.js";
import type * as whatsapp from "../../../../../../shared/contract/whatsapp/chat.js";

/** A person, group or channel as either platform has it. */
export type AnyChat = (telegram.ListedChat | whatsapp.ListedChat)["chat"];

type WhatsAppOnly = "mentions" | "forwarded" | "viewOnce";
type WhatsAppMessage = whatsapp.ListedChat["last"];

/** Message of `GET /chat/message` as either platform has it. */
export type AnyChatMessage = Omit<telegram.ChatMessage, "author" | "chat" | "entities" | "type" | "poll"> &
  Partial<Pick<WhatsAppMessage, WhatsAppOnly>> & {
    readonly type: WhatsAppMessage["type"];
    readonly chat: AnyChat;
    readonly author?: AnyChat;
    /** The question is in `text` if it is not here. */
    readonly poll?: AnyPoll;
  };

export type AnyPoll = NonNullable<WhatsAppMessage["poll"]> & { readonly question?: string };

/** Row of `GET /chat` as either platform has it. */
export type AnyChatRow = Pick<telegram.ListedChat, "kind" | "unread"> & { readonly chat: AnyChat; readonly last: AnyChatMessage };
