import type { Contact } from "@whiskeysockets/baileys";
import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { Log } from "../../shared/log/logger.js";
import type { SessionMap } from "../session/session-context.js";
import { isUserJid, phoneOf, userJid } from "./jid.js";

/** Somebody in the account's address book. `phone` is digits, `lid` a JID; either may be empty. */
export interface BookEntry {
  readonly name: string;
  readonly phone: string;
  readonly lid: string;
}

/**
 * The account's address book, as its phone synced it: in the session's map in Redis, one field for each JID of a contact.
 * The platform tells it once and then only what changes, so it must outlive the process.
 */
export class AddressBook {
  private readonly writing = new SerialQueue();

  constructor(
    private readonly map: SessionMap,
    private readonly log: Log,
  ) {}

  /** Stores what the platform told; a contact without a name has left the book. Never rejects. */
  learn(contacts: readonly Partial<Contact>[]): void {
    const fields = new Map<string, string>();
    for (const contact of contacts) for (const [field, value] of toFields(contact)) fields.set(field, value);
    if (fields.size === 0) return;
    void this.writing.run(() => this.store(fields));
  }

  /** By JID (of phone number or anonymous id); `undefined` for whom the book does not know. */
  async find(jids: readonly string[]): Promise<(BookEntry | undefined)[]> {
    const found: (BookEntry | undefined)[] = [];
    for (let start = 0; start < jids.length; start += findAtOnce) {
      const values = await this.map.getMany(jids.slice(start, start + findAtOnce).map(userJid));
      found.push(...values.map((value) => (value === undefined ? undefined : (parseEntry(value) ?? undefined))));
    }
    return found;
  }

  /** Everyone, each once. */
  async all(): Promise<BookEntry[]> {
    await this.idle();
    const entries = new Map<string, BookEntry>();
    for (const value of await this.map.values()) {
      const entry = parseEntry(value);
      if (entry !== null) entries.set(entry.phone === "" ? entry.lid : entry.phone, entry);
    }
    return [...entries.values()];
  }

  async clear(): Promise<void> {
    await this.idle();
    await this.map.clear();
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  private async store(fields: ReadonlyMap<string, string>): Promise<void> {
    try {
      await this.map.setMany(fields);
    } catch (error) {
      // A status that finds the book empty reads it again from the platform.
      this.log.warn({ err: error, count: fields.size }, "contacts could not be stored");
    }
  }
}

const findAtOnce = 1_000;
const parseEntry = typia.json.createIsParse<BookEntry>();

/** Push names, group entries of a history and the like are no contacts. */
function toFields({ id, lid, phoneNumber, name }: Partial<Contact>): [string, string][] {
  const jids = [
    ...new Set([id, lid, phoneNumber].flatMap((jid) => (jid !== undefined && jid !== null && isUserJid(jid) ? [userJid(jid)] : []))),
  ];
  const entry: BookEntry = {
    name: name ?? "",
    phone: jids.map(phoneOf).find((phone) => phone !== "") ?? "",
    lid: jids.find((jid) => jid.endsWith("@lid")) ?? "",
  };
  return jids.map((jid) => [jid, entry.name === "" ? "" : JSON.stringify(entry)]);
}
