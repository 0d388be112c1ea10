import type { proto } from "@whiskeysockets/baileys";
import type { UpdateEvent } from "../../session/session-context.js";
import type { WhatsAppConnector } from "../connector.js";
import { stanzaOf } from "../events/incoming-stanza.js";
import { userJid } from "../jid.js";

/** Returns the entry of the history for a message that this session is about to send; `undefined` for what shows nothing in a chat. */
export async function sentEntry(
  connector: WhatsAppConnector,
  chat: string,
  id: string,
  message: proto.IMessage,
): Promise<UpdateEvent | undefined> {
  const { me } = connector.account;
  const author = userJid(chat.endsWith("@lid") ? me.lid : me.id);
  const at = Math.floor(Date.now() / 1_000);
  const stanza = stanzaOf({ id, chat, author, fromMe: true, at, pushName: "", otherJid: "", username: "" });
  return stanza && (await connector.account.messages.ofSent(stanza, message));
}
