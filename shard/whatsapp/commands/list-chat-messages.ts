import type { ChatMessagePage, ChatMessageQuery } from "../../../shared/contract/whatsapp/chat.js";
import type { WhatsAppConnector } from "../connector.js";
import { withRef } from "../history/kept-message.js";
import { namedChats } from "../history/named-chats.js";
import { readChats } from "../history/read-chats.js";

/**
 * GET /chat/message: the messages of one chat in the session's history, newest first. A chat without messages, and a `before` that the
 * history no longer has, give an empty page.
 */
export async function listChatMessages(
  connector: WhatsAppConnector,
  { chat: jid, limit, before }: ChatMessageQuery,
): Promise<ChatMessagePage> {
  const client = connector.connected();
  const found = (await readChats(connector)).find(jid);
  if (found === undefined) return { docs: [], next: "" };
  const newestFirst = found.messages.map(({ message }) => message).reverse();
  const start = before === "" ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
  if (before !== "" && start === 0) return { docs: [], next: "" };
  const [chat = found.chat] = await namedChats(connector, client, [found.chat]);
  const docs = newestFirst.slice(start, start + limit).map((message) => ({ ...withRef(message, connector.refs), chat }));
  return { docs, next: newestFirst.length > start + limit ? (docs.at(-1)?.id ?? "") : "" };
}
