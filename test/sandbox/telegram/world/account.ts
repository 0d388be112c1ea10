import { MessageBox } from "./message-box.js";
import type { Person } from "./person.js";
import type { PasswordVerifier } from "./srp.js";
import type { StoredStory } from "./stored-story.js";

/** Size of the initial data of a control API account. */
export interface Stock {
  /** Number of private chats. */
  readonly contacts: number;
  readonly groups: number;
  readonly channels: number;
  /** Members of each supergroup. */
  readonly members: number;
}

export interface AccountOptions {
  readonly account: string;
  readonly index: number;
  readonly dcId: number;
  readonly person: Person;
  readonly password: string | undefined;
  readonly hint: string | undefined;
  readonly stock: Stock;
  /** True for an account of the control API, which the snapshot must contain. */
  readonly custom: boolean;
}

export interface ContactName {
  readonly firstName: string;
  readonly lastName: string;
}

/** An unsent draft of an account in a chat. Plain data: the snapshot stores it unchanged. */
export interface StoredDraft {
  readonly text: string;
  /** Unix seconds. */
  readonly date: number;
  /** TL bytes of each entity, base64. */
  readonly entities?: readonly string[];
  readonly replyTo?: number;
}

/** One account that can log in. */
export class Account {
  readonly account: string;
  readonly index: number;
  readonly dcId: number;
  readonly person: Person;
  readonly password: string | undefined;
  readonly hint: string | undefined;
  readonly stock: Stock;
  readonly custom: boolean;
  /** Private chats and basic groups share one id sequence and one `pts`. */
  readonly box = new MessageBox();
  /** User ids in the address book. */
  readonly contacts = new Set<number>();
  /** Marked ids of the chats and channels in the dialog list. */
  readonly chats = new Set<number>();
  /** The account's own text; until it is set, the sandbox shows one of its own. */
  about: string | undefined;
  /** User ids that the account blocked. */
  readonly blocked = new Set<number>();
  readonly archived = new Set<number>();
  /** Marked ids of the chats at the top of their list, the first one first. */
  readonly pinned = new Set<number>();
  /** By the chat's marked id. */
  readonly drafts = new Map<number, StoredDraft>();
  /** The account's own names for contacts, by user id. */
  readonly contactNames = new Map<number, ContactName>();
  verifier: Promise<PasswordVerifier> | undefined;
  wrongPasswords = 0;
  lockedUntil = 0;
  /** True once the account's chats exist. They are created on first use, so that ten thousand idle accounts cost little. */
  stocked = false;
  nextStoryId = 1;
  /** Counter of updates that change no `pts`. */
  seq = 0;
  /** The account may only write to contacts and people who wrote first. Others yield PEER_FLOOD. */
  limited = false;
  /** Strangers without premium may not write to the account. */
  premiumOnly = false;
  /** Only contacts may add the account to groups and channels. */
  contactsInvite = false;
  maxStories = 100;
  stories: StoredStory[] = [];
  /** The newest seen story of each person, by user id. */
  readonly storiesRead = new Map<number, number>();
  /** Set when contacts, blocked people or the profile differ from the stock. */
  peopleChanged = false;

  constructor(options: AccountOptions) {
    this.account = options.account;
    this.index = options.index;
    this.dcId = options.dcId;
    this.person = options.person;
    this.password = options.password;
    this.hint = options.hint;
    this.stock = options.stock;
    this.custom = options.custom;
  }

  get userId(): number {
    return this.person.id;
  }
}
