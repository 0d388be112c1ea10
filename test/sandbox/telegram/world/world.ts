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
  /** Unix seconds of the sandbox's very first start: the past of all chats counts back from here. */
  readonly startedAt: number;
  /** From which access hashes and file references derive; it stays the same over restarts. */
  readonly seed: string;
  /** Called after each change that a restart must not lose. */
  readonly changed: (part: StatePart) => void;
  /** Makes an account's own chats. */
  readonly stock: (world: World, account: Account) => void;
}

/** What is written to disk apart from each other. */
export type StatePart = "world" | "keys" | "received";

/** The whole state of the platform: who exists, what they wrote, who is logged in. */
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

  /** The account with its chats made: call it wherever somebody looks into the account. */
  opened(account: Account): Account {
    if (!account.stocked) {
      account.stocked = true;
      this.stock(this, account);
    }
    return account;
  }
}
