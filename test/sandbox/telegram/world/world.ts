import { ReceivedLog } from "../../control/received.js";
import type { MediaLibrary } from "./media-library.js";
import { AccountBook } from "./account-book.js";
import type { Account } from "./account.js";
import { CallCounts } from "./call-counts.js";
import { ChatBook } from "./chat-book.js";
import { Devices } from "./devices.js";
import { telegramFaults } from "./faults.js";
import { Happenings } from "./happenings.js";
import { InviteBook } from "./invites.js";
import { LoginTokens } from "./login-tokens.js";
import { OverlapWatch } from "./overlaps.js";
import { PollBook } from "./poll.js";
import { ProfilePhotos } from "./profile-photos.js";
import { RandomIds } from "./random-ids.js";
import type { Received } from "./received.js";
import { Secrets } from "./secrets.js";
import { Uploads } from "./uploads.js";

export interface WorldOptions {
  readonly media: MediaLibrary;
  /** Unix seconds of the sandbox's first start. The chats' history ends here. */
  readonly startedAt: number;
  /** Seed of access hashes and file references. It stays the same over restarts. */
  readonly seed: string;
  /** Called after each change that must survive a restart. */
  readonly changed: (part: StatePart) => void;
  /** Creates an account's own chats on first use. */
  readonly stock: (world: World, account: Account) => void;
}

/** State parts that are stored separately. */
export type StatePart = "world" | "keys" | "received";

/** The platform's state: accounts, chats, messages and logins. */
export class World {
  readonly accounts = new AccountBook();
  readonly chats = new ChatBook();
  readonly devices = new Devices();
  readonly tokens = new LoginTokens();
  readonly uploads = new Uploads();
  readonly happenings = new Happenings();
  readonly polls = new PollBook();
  readonly invites = new InviteBook();
  readonly faults = telegramFaults();
  readonly calls = new CallCounts();
  readonly randomIds = new RandomIds();
  readonly profilePhotos = new ProfilePhotos();
  readonly overlaps = new OverlapWatch();
  readonly media: MediaLibrary;
  readonly secrets: Secrets;
  readonly received: ReceivedLog<Received>;
  readonly startedAt: number;
  readonly changed: (part: StatePart) => void;
  private readonly stock: WorldOptions["stock"];

  constructor({ media, startedAt, seed, changed, stock }: WorldOptions) {
    this.media = media;
    this.startedAt = startedAt;
    this.secrets = new Secrets(seed);
    this.received = new ReceivedLog<Received>(() => changed("received"));
    this.changed = changed;
    this.stock = stock;
  }

  /** Returns the account after creating its chats. Every reader of an account's chats must call it. */
  opened(account: Account): Account {
    if (!account.stocked) {
      account.stocked = true;
      this.stock(this, account);
    }
    return account;
  }
}
