import type { AccountProfile, AddressBookEntry, User } from "../whatsapp-backend.js";
import { contactPerson, contactsPerAccount, nameOf, personOf } from "./person.js";

/** Size of an account's initial data. */
export interface Stock {
  readonly contacts: number;
  readonly groups: number;
  readonly channels: number;
  /** Members of each group. */
  readonly members: number;
}

export const statusLists = ["contacts", "blacklist", "whitelist"] as const;

/** Audience of the account's statuses; `undefined` if the platform has no setting for the account (404). */
export interface StatusPrivacy {
  readonly list: (typeof statusLists)[number];
  /** JIDs, by number or LID. */
  readonly users: readonly string[];
}

export interface AccountOptions {
  readonly account: string;
  readonly index: number;
  readonly phone: string;
  readonly pushName: string;
  readonly businessName: string | undefined;
  readonly firstSync: AccountProfile["firstSync"];
  /** `passkey`: new devices are linked only with the account's passkey. */
  readonly linking: "plain" | "passkey";
  /** The platform has moved the chats to LIDs, and rejects numbers as addresses. */
  readonly lidMigrated: boolean | undefined;
  /** See `AccountProfile`. */
  readonly saltInHistory: boolean | undefined;
  readonly stock: Stock;
  /** True for an account of the control API, which the snapshot must contain. */
  readonly custom: boolean;
}

/** One account whose phone can link devices. */
export class Account implements User {
  readonly lid: string;
  readonly phone: string;
  readonly account: string;
  pushName: string;
  firstSync: AccountProfile["firstSync"];
  lidMigrated: boolean;
  /** `undefined` if it was never set. */
  statusPrivacy: StatusPrivacy | undefined = { list: "contacts", users: [] };
  /** The text that other people see of the account. */
  about = "Available";
  /** JIDs, by number, that the account blocked. */
  readonly blocked = new Set<string>();
  /** The platform rejects messages to strangers without a token (463). */
  limited = false;
  /** Phone numbers of people who have written to the account. Not stored. */
  readonly writers = new Set<string>();
  /** Phone numbers of people in whose private chats the account wrote first. Not stored. */
  readonly begunChats = new Set<string>();
  /** Seconds after which messages of a private chat disappear (0: never), by the other side's phone number. Contains every chat. */
  readonly timers = new Map<string, number>();
  /** Ids of the account's groups and channels, shared ones first. */
  readonly groups = new Set<string>();
  readonly channels = new Set<string>();
  /** Entries of the address book besides the stock's. */
  readonly acquaintances: AddressBookEntry[] = [];
  /** Set when address book, push name, text, blocked people or status privacy differ from the stock. */
  changed = false;
  /** True once the account's own groups and channels exist. They are created on first use. */
  stocked = false;
  private book: Map<string, AddressBookEntry> | undefined;
  private settings: Map<string, string> | undefined;

  constructor(readonly options: AccountOptions) {
    this.account = options.account;
    this.phone = options.phone;
    this.lid = personOf(options.phone).lid;
    this.pushName = options.pushName;
    this.firstSync = options.firstSync;
    this.lidMigrated = options.lidMigrated ?? false;
  }

  get index(): number {
    return this.options.index;
  }

  /** By phone number; created on first use. */
  get contacts(): Map<string, AddressBookEntry> {
    if (this.book !== undefined) return this.book;
    this.book = new Map(this.acquaintances.map((entry) => [entry.phone, entry]));
    const count = Math.min(this.options.stock.contacts, contactsPerAccount);
    for (let n = 0; n < count; n++) {
      const person = contactPerson(this.index, n);
      this.book.set(person.phone, { ...person, name: nameOf(person) });
    }
    return this.book;
  }

  /** Privacy categories, such as "last" or "profile". */
  get privacy(): Map<string, string> {
    return (this.settings ??= new Map(Object.entries(defaultPrivacy)));
  }

  get profile(): AccountProfile {
    const { phone, lid, pushName, firstSync, lidMigrated } = this;
    const { businessName, linking } = this.options;
    return {
      phone,
      lid,
      pushName,
      firstSync,
      lidMigrated,
      chats: [...this.timers].map(([other, seconds]) => ({ phone: other, seconds })),
      saltInHistory: this.options.saltInHistory ?? false,
      contacts: [...this.contacts.values()],
      ...(businessName === undefined ? {} : { businessName }),
      ...(linking === "passkey" && { passkey: true as const }),
    };
  }
}

const defaultPrivacy: Readonly<Record<string, string>> = {
  readreceipts: "all",
  last: "contacts",
  status: "contacts",
  profile: "all",
  online: "all",
  groupadd: "all",
  calladd: "all",
  messages: "all",
  defense: "off",
};
