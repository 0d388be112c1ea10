import type { proto } from "@whiskeysockets/baileys";
import type { UpdateEvent } from "../../session/session-context.js";
import type { WhatsAppConnector } from "../connector.js";
import { stanzaOf } from "../events/incoming-stanza.js";
import { userJid } from "../jid.js";

/** Makes the entry of the history for a message; `undefined` for what shows nothing in a chat. */
export type SentEntry = (message: proto.IMessage) => UpdateEvent | undefined;

/** Prepares the entry of a message that this session is about to send. It reads the chat's names while the content is built. */
export async function sentEntry({ account }: WhatsAppConnector, chat: string, id: string): Promise<SentEntry> {
  const { me, messages } = account;
  const author = userJid(chat.endsWith("@lid") ? me.lid : me.id);
  const at = Math.floor(Date.now() / 1_000);
  // The platform has the last word on a deletion: what it refuses gets no entry.
  const stanza = stanzaOf({ id, chat, author, fromMe: true, at, pushName: "", otherJid: "", username: "", asAdmin: true });
  return stanza === undefined ? () => undefined : await messages.ofSent(stanza);
}
