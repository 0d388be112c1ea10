import { getBinaryNodeChild, getBinaryNodeChildren, type BinaryNode } from "@whiskeysockets/baileys";
import { contactsNotSynced, noStatusContacts } from "../../../shared/contract/whatsapp/errors.js";
import type { Log } from "../../../shared/log/logger.js";
import type { BookEntry } from "../address-book.js";
import type { Client } from "../client.js";
import { iqErrorCode } from "../errors.js";
import { phoneJid, phoneOf, userJid, userOf } from "../jid.js";
import { readBook } from "../read-book.js";
import { otherNames } from "../other-names.js";
import type { WhatsAppConnector } from "../connector.js";

/**
 * The readers of a status, as chosen on the account's phone ("States and transitions" of variant A). `listed` holds the excluded people of
 * a blacklist or the chosen people of a whitelist.
 */
export interface StatusPrivacy {
  readonly type: "contacts" | "blacklist" | "whitelist";
  readonly listed: readonly string[];
}

/**
 * Returns the people (JIDs) who get the account's next status, including its own phone, which the library would omit. Throws the two
 * errors of POST /status: contacts not synced, and an empty whitelist.
 */
export async function readAudience(connector: WhatsAppConnector, client: Client, log: Log): Promise<string[]> {
  const [{ type, listed }, blocked] = await Promise.all([readPrivacy(client), readBlocked(client)]);
  if (type === "whitelist" && listed.length === 0) throw noStatusContacts();
  const chosen = type === "whitelist" ? listed.map(nameless) : await readBook(connector, client, { log, missing: contactsNotSynced });
  const excluded = type === "blacklist" ? [...listed, ...blocked] : blocked;
  const seeing = excluded.length === 0 ? chosen : await withoutExcluded(connector, client, chosen, excluded);
  const people = seeing.map(({ phone, lid }) => (phone === "" ? lid : phoneJid(phone)));
  return [...new Set([...people, userJid(client.me.id)])];
}

/** Returns the default list, else the first one. No list, or a 404, means all contacts. */
export async function readPrivacy(client: Client): Promise<StatusPrivacy> {
  const response = await client
    .query({ tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "status" }, content: [{ tag: "privacy", attrs: {} }] })
    .catch((error: unknown) => {
      if (iqErrorCode(error) === 404) return undefined;
      throw error;
    });
  const lists = response === undefined ? [] : getBinaryNodeChildren(getBinaryNodeChild(response, "privacy"), "list");
  const chosen = lists.find(({ attrs }) => attrs["default"] === "true") ?? lists[0];
  return chosen === undefined ? { type: "contacts", listed: [] } : { type: privacyType(chosen), listed: usersOf(chosen) };
}

/** Returns the people that the account has blocked, also on its phone. They see none of its statuses. */
async function readBlocked(client: Client): Promise<string[]> {
  const response = await client.query({ tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "blocklist" } });
  return getBinaryNodeChildren(getBinaryNodeChild(response, "list"), "item").flatMap(({ attrs: { jid } }) =>
    jid === undefined ? [] : [userJid(jid)],
  );
}

function privacyType({ attrs }: BinaryNode): StatusPrivacy["type"] {
  const type = attrs["type"];
  return type === "blacklist" || type === "whitelist" ? type : "contacts";
}

function usersOf(list: BinaryNode): string[] {
  return getBinaryNodeChildren(list, "user").flatMap(({ attrs }) => (attrs["jid"] === undefined ? [] : [userJid(attrs["jid"])]));
}

function nameless(jid: string): BookEntry {
  const phone = phoneOf(jid);
  return { name: "", phone, lid: phone === "" ? jid : "" };
}

/**
 * A list may contain a person's number while the book has only the anonymous id, or the reverse, so both names of each person are
 * compared.
 */
async function withoutExcluded(
  { account }: WhatsAppConnector,
  client: Client,
  book: readonly BookEntry[],
  listed: readonly string[],
): Promise<BookEntry[]> {
  const { authState, signalRepository } = client.sock;
  // Queries the platform for unknown anonymous ids: those of listed people if a contact has no number, and those of contacts if a listed
  // id has no number.
  if (book.some(({ phone }) => phone === "")) await account.addresses.learn(client, listed);
  const anonymous = listed.filter((jid) => phoneOf(jid) === "");
  const numbers = (await signalRepository.lidMapping.getPNsForLIDs(anonymous)) ?? [];
  if (numbers.length < anonymous.length)
    await account.addresses.learn(
      client,
      book.flatMap(({ phone, lid }) => (phone === "" || lid !== "" ? [] : phoneJid(phone))),
    );
  const excluded = await otherNames(authState.keys, listed);
  return book.filter(({ phone, lid }) => !excluded.has(phone) && !excluded.has(userOf(lid)));
}
