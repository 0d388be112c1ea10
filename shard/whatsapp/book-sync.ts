import type { Log } from "../../shared/log/logger.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import type { AddressBook } from "./address-book.js";
import type { Client } from "./client.js";

/** Reads the account's address book from the platform. */
export class BookSync {
  private syncing: Promise<void> = Promise.resolve();

  constructor(
    private readonly book: AddressBook,
    /** Milliseconds: the limit for one read, and for how long after a login the app state keys may arrive. */
    private readonly syncMs: number,
    private readonly log: Log,
  ) {}

  /** Starts a read in the background, one at a time. After a failure, the next status that needs the book reads it again. */
  soon(client: Client): void {
    this.syncing = this.syncing
      .then(() => this.read(client, false))
      .catch((error: unknown) => this.log.info({ err: error }, "address book not read"));
  }

  /** Resolves when the reads that were started in the background are over. Never rejects. */
  idle(): Promise<void> {
    return this.syncing;
  }

  /**
   * Reads the address book. `again` also reads what the platform believes this device has. Bounded by `syncMs`; rejects like the platform.
   */
  async read(client: Client, again: boolean): Promise<void> {
    // The app state cannot be read without its keys, which arrive soon after the first login or never.
    if (await endsWithin(client.appStateKey, Math.max(0, this.syncMs - client.ageMs))) {
      const reading = client.syncAppState(again);
      if (await endsWithin(reading, this.syncMs)) await reading;
    }
    await this.book.idle();
  }

  /** True when the platform has sent the address book at least once, or reported that it is empty. False also when it cannot be read. */
  async isSynced(client: Client): Promise<boolean> {
    if (client.bookIsEmpty) return true;
    const { critical_unblock_low: state } = await client.sock.authState.keys.get("app-state-sync-version", ["critical_unblock_low"]);
    return state !== undefined && state !== null && state.version > 0;
  }
}
