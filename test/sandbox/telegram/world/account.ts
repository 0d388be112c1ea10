import { MessageBox } from "./message-box.js";
import type { Person } from "./person.js";
import type { PasswordVerifier } from "./srp.js";
import type { StoredStory } from "./stored-story.js";

/** How much an account made by the control API comes with. */
export interface Stock {
  /** People it has private chats with. */
  readonly contacts: number;
  readonly groups: number;
  readonly channels: number;
  /** Members of each of its supergroups. */
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
  /** Made by the control API and therefore kept in the snapshot. */
  readonly custom: boolean;
}

export interface ContactName {
  readonly firstName: string;
  readonly lastName: string;
}

/** What an account has begun to write in a chat. Plain data: it is written to the snapshot as it is. */
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
  /** Private chats and basic groups share one sequence of ids and one `pts`. */
  readonly box = new MessageBox();
  /** User ids in the address book. */
  readonly contacts = new Set<number>();
  /** Chats and channels in the dialog list, by marked id. */
  readonly chats = new Set<number>();
  /** Whoever the account blocked, or who blocked it, by user id. */
  readonly blocked = new Set<number>();
  readonly archived = new Set<number>();
  /** By the marked id of the chat. */
  readonly drafts = new Map<number, StoredDraft>();
  /** By what other name it keeps a contact, by user id. */
  readonly contactNames = new Map<number, ContactName>();
  verifier: Promise<PasswordVerifier> | undefined;
  wrongPasswords = 0;
  lockedUntil = 0;
  /** Its chats are made at the first moment that somebody looks: ten thousand idle accounts cost next to nothing. */
  stocked = false;
  nextStoryId = 1;
  /** Counter of updates that move no `pts`. */
  seq = 0;
  /** Writes back to people who write first, and to contacts; strangers hear PEER_FLOOD from the platform. */
  limited = false;
  /** Strangers without premium may not write. */
  premiumOnly = false;
  /** Only contacts may bring it into groups and channels. */
  contactsInvite = false;
  /** How many stories may be up at once. */
  maxStories = 100;
  stories: StoredStory[] = [];
  /** The newest story of each person that it has seen, by user id. */
  readonly storiesRead = new Map<number, number>();
  /** Set when contacts or blocked people differ from the stock. */
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
