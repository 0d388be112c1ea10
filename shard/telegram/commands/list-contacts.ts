import { Api } from "telegram";
import bigInt from "big-integer";
import type { CommandCall } from "../../session/command.js";
import type { PageQuery } from "../../../shared/contract/page.js";
import type { ContactPage } from "../../../shared/contract/telegram/chat.js";
import { invalidAfter } from "../../../shared/contract/telegram/errors.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import { toPerson } from "../convert.js";
import type { TelegramConnector } from "../connector.js";

/** GET /contact: the account's contacts in the order of their ids. The platform returns all of them at once. The cursor is the last id. */
export async function listContacts(
  connector: TelegramConnector,
  { limit, after }: PageQuery,
  { signal }: CommandCall,
): Promise<ContactPage> {
  const client = connector.connected();
  if (!/^\d{0,16}$/.test(after)) throw invalidAfter();
  const response = await client.invoke(new Api.contacts.GetContacts({ hash: bigInt.zero }), { signal, deadlineMs: listTimeoutMs });
  const isContact = new Set(response instanceof Api.contacts.Contacts ? response.contacts.map(({ userId }) => userId.toString()) : []);
  const users = response instanceof Api.contacts.Contacts ? response.users : [];
  const later = users
    .filter((user): user is Api.User => user instanceof Api.User && isContact.has(user.id.toString()))
    .filter(({ id }) => after === "" || id.greater(bigInt(after)))
    .sort((a, b) => a.id.compare(b.id));
  const docs = later.slice(0, limit).map((user) => toPerson(user, (id, photo) => connector.profileLink(id, photo)));
  return { docs, next: later.length > limit ? (docs.at(-1)?.id ?? "") : "" };
}
