import type { Contact } from "@whiskeysockets/baileys";
import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { Log } from "../../shared/log/logger.js";
import { recentCache } from "../flow/recent-cache.js";
import type { SessionMap } from "../session/session-context.js";
import { isUserJid, phoneJid, phoneOf, userJid } from "./jid.js";
import { removedName } from "./network/app-state-mutations.js";

/** A contact in the account's address book. `phone` is digits, `lid` a JID; either may be empty. */
export interface BookEntry {
  readonly name: string;
  readonly phone: string;
  readonly lid: string;
}

/**
 * The account's address book, as its phone synced it: in the session's map in Redis, one field for each JID of a contact. The platform
 * sends it once and then only changes, so it must outlive the process.
 */
export class AddressBook {
  private readonly writing = new SerialQueue();
  /** People of the last messages, by JID: each message names its chat. */
  private recent = recentCache<Known>(recentMost);

  constructor(
    private readonly map: SessionMap,
    private readonly log: Log,
  ) {}

  /** Stores contacts that the platform sent. A contact without a name has been removed from the book. Never rejects. */
  learn(contacts: readonly Partial<Contact>[]): void {
    const people = contacts.flatMap((contact) => toEntry(contact) ?? []);
    if (people.length === 0) return;
    void this.writing.run(() => this.store(people));
  }

  /** Returns the entry of a JID as `find` does, from memory if possible. */
  async findOne(jid: string): Promise<BookEntry | undefined> {
    const { recent } = this;
    const name = userJid(jid);
    const known = recent.get(name);
    if (known !== undefined) return known.entry;
    const [entry] = await this.find([name]);
    // A change since the read began has a cache of its own.
    recent.set(name, { entry });
    return entry;
  }

  /** Returns the entries by JID (phone number or anonymous id); `undefined` for a JID that is not in the book. */
  async find(jids: readonly string[]): Promise<(BookEntry | undefined)[]> {
    const found: (BookEntry | undefined)[] = [];
    for (let start = 0; start < jids.length; start += findAtOnce) {
      const values = await this.map.getMany(jids.slice(start, start + findAtOnce).map(userJid));
      found.push(...values.map((value) => (value === undefined ? undefined : (parseEntry(value) ?? undefined))));
    }
    return found;
  }

  /** Returns all contacts, each once. */
  async all(): Promise<BookEntry[]> {
    await this.idle();
    const entries = new Map<string, BookEntry>();
    const found = new Map<string, number>();
    for (const value of await this.map.values()) {
      const entry = parseEntry(value);
      if (entry === null) continue;
      const [jid = ""] = jidsOf(entry);
      entries.set(jid, entry);
      found.set(jid, (found.get(jid) ?? 0) + 1);
    }
    // Earlier versions left the second JID of a removed contact in the map.
    return [...entries].flatMap(([jid, entry]) => (found.get(jid) === jidsOf(entry).length ? [entry] : []));
  }

  async clear(): Promise<void> {
    await this.idle();
    await this.changing(() => this.map.clear());
  }

  /** Resolves when all writes are done. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  private async store(people: readonly BookEntry[]): Promise<void> {
    try {
      const changes = await this.changesFor(people);
      await this.changing(() => this.map.setMany(changes));
    } catch (error) {
      // If the book is empty, the next status reads it again from the platform.
      this.log.warn({ err: error, count: people.length }, "contacts not stored");
    }
  }

  /** A read during the change may return the old or the new state, so neither is kept. */
  private async changing(change: () => Promise<void>): Promise<void> {
    this.recent = recentCache<Known>(recentMost);
    try {
      await change();
    } finally {
      this.recent = recentCache<Known>(recentMost);
    }
  }

  /** Returns the fields to write. A change may name only one of the two JIDs that a contact is stored under, so both are written. */
  private async changesFor(people: readonly BookEntry[]): Promise<Map<string, string>> {
    const jids = [...new Set(people.flatMap(jidsOf))];
    const stored = await this.find(jids);
    const entries = new Map(jids.map((jid, index) => [jid, stored[index]]));
    const changes = new Map<string, string>();
    for (const { name, phone, lid } of people) {
      const former = jidsOf({ phone, lid }).flatMap((jid) => entries.get(jid) ?? []);
      for (const jid of [...former.flatMap(jidsOf), ...jidsOf({ phone, lid })]) {
        entries.set(jid, undefined);
        changes.set(jid, "");
      }
      if (name === "") continue;
      const entry: BookEntry = {
        name,
        phone: phone || (former.find((one) => one.phone !== "")?.phone ?? ""),
        lid: lid || (former.find((one) => one.lid !== "")?.lid ?? ""),
      };
      for (const jid of jidsOf(entry)) {
        entries.set(jid, entry);
        changes.set(jid, JSON.stringify(entry));
      }
    }
    return changes;
  }
}

interface Known {
  readonly entry: BookEntry | undefined;
}

const findAtOnce = 1_000;
/** Chats of a busy account. */
const recentMost = 256;
const parseEntry = typia.json.createIsParse<BookEntry>();

/** Returns the JIDs that an entry is stored under. */
function jidsOf({ phone, lid }: Pick<BookEntry, "phone" | "lid">): string[] {
  return [...(phone === "" ? [] : [phoneJid(phone)]), ...(lid === "" ? [] : [lid])];
}

/** Returns `undefined` for updates that are no contacts, such as push names and the groups of a history. */
function toEntry({ id, lid, phoneNumber, name }: Partial<Contact>): BookEntry | undefined {
  const jids = [id, lid, phoneNumber].flatMap((jid) => (jid !== undefined && jid !== null && isUserJid(jid) ? [userJid(jid)] : []));
  if (jids.length === 0) return undefined;
  return {
    name: name === undefined || name === removedName ? "" : name,
    phone: jids.map(phoneOf).find((phone) => phone !== "") ?? "",
    lid: jids.find((jid) => jid.endsWith("@lid")) ?? "",
  };
}
