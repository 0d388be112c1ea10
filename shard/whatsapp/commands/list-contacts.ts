import { contactsNotRead, invalidAfter } from "../../../shared/contract/whatsapp/errors.js";
import type { PageQuery } from "../../../shared/contract/page.js";
import { isUserId } from "../../../shared/contract/whatsapp/address.js";
import type { ContactPage } from "../../../shared/contract/whatsapp/chat.js";
import type { CommandCall } from "../../session/command.js";
import type { WhatsAppConnector } from "../connector.js";
import { phoneJid } from "../jid.js";
import { readBook } from "../read-book.js";

/** GET /contact: the account's address book in the order of the ids. The cursor is the last id. */
export async function listContacts(connector: WhatsAppConnector, { limit, after }: PageQuery, { log }: CommandCall): Promise<ContactPage> {
  const client = connector.connected();
  if (after !== "" && !isUserId(after)) throw invalidAfter();
  const entries = (await readBook(connector, client, { log, missing: contactsNotRead }))
    .map(({ name, phone, lid }) => ({ id: phone === "" ? lid : phoneJid(phone), name, username: "", phone, lid, thumbnail: "" }))
    .filter(({ id }) => id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const docs = entries.slice(0, limit);
  return { docs, next: entries.length > limit ? (docs.at(-1)?.id ?? "") : "" };
}
