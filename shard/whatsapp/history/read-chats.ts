import { historyIsOff } from "../../../shared/contract/whatsapp/errors.js";
import type { WhatsAppConnector } from "../connector.js";
import { KeptChats } from "./kept-chats.js";

/** Reads the session's history. Throws 409 if the gateway keeps none. */
export async function readChats({ context }: WhatsAppConnector): Promise<KeptChats> {
  if (!context.chatHistory.isOn) throw historyIsOff();
  return new KeptChats(await context.chatHistory.read());
}
