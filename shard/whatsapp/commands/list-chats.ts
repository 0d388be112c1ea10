import { isJidGroup, isJidNewsletter } from "@whiskeysockets/baileys";
import { invalidAfter } from "../../../shared/contract/whatsapp/errors.js";
import type { ChatKind, PageQuery } from "../../../shared/contract/page.js";
import type { ChatPage } from "../../../shared/contract/whatsapp/chat.js";
import type { WhatsAppConnector } from "../connector.js";
import { comparePositions } from "../history/kept-chats.js";
import { withRef } from "../history/kept-message.js";
import { namedChats } from "../history/named-chats.js";
import { readChats } from "../history/read-chats.js";

/** GET /chat: the chats of the session's history, by their newest message. The cursor is that message's position. */
export async function listChats(connector: WhatsAppConnector, { limit, after }: PageQuery): Promise<ChatPage> {
  const client = connector.connected();
  if (after !== "" && !/^\d{1,15}-\d{1,15}$/.test(after)) throw invalidAfter();
  const chats = (await readChats(connector)).all().flatMap(({ chat, messages, unread }) => {
    const last = messages.at(-1);
    return last === undefined || (after !== "" && comparePositions(last.at, after) >= 0) ? [] : [{ chat, last, unread }];
  });
  const page = chats.slice(0, limit);
  const named = await namedChats(
    connector,
    client,
    page.map(({ chat }) => chat),
  );
  const docs = page.map(({ chat: known, last, unread }, index) => {
    const chat = named[index] ?? known;
    return { kind: kindOf(chat.id), chat, unread, last: { ...withRef(last.message, connector.refs), chat } };
  });
  return { docs, next: chats.length > limit ? (page.at(-1)?.last.at ?? "") : "" };
}

function kindOf(jid: string): ChatKind {
  if (isJidGroup(jid) === true) return "group";
  return isJidNewsletter(jid) === true ? "channel" : "person";
}
