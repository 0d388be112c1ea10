import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { PageQuery } from "../../../shared/contract/page.js";
import type { ChatMessage, ChatPage } from "../../../shared/contract/telegram/chat.js";
import { ChatPeople } from "../chats/chat-people.js";
import { readDialogPage } from "../chats/dialog-page.js";
import type { TelegramConnector } from "../connector.js";

/** GET /chat: the account's chats by their newest message, archived and pinned ones in their places. */
export async function listChats(connector: TelegramConnector, { limit, after }: PageQuery, { signal }: CommandCall): Promise<ChatPage> {
  const { peers } = connector;
  const { dialogs, next, ...entities } = await readDialogPage({ client: connector.connected(), peers, signal }, limit, after);
  const people = new ChatPeople(connector, entities);
  const docs = dialogs.flatMap(({ id, unread, top }) => {
    const known = people.find(id);
    if (known === undefined) return [];
    const last: ChatMessage = people.record(messageOf(top), known);
    return [
      { kind: known.kind, chat: known.person, unread, last: top instanceof Api.Message ? last : { ...last, type: "other" as const } },
    ];
  });
  return { docs, next };
}

/** A service note, such as a changed name, has no content of its own. */
function messageOf(top: Api.Message | Api.MessageService): Api.Message {
  if (top instanceof Api.Message) return top;
  const { id, peerId, date, out } = top;
  return new Api.Message({ id, peerId, date, message: "", ...(out && { out }), ...(top.fromId && { fromId: top.fromId }) });
}
