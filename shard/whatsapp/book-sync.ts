import type { Log } from "../../shared/log/logger.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import type { AddressBook } from "./address-book.js";
import type { Client } from "./client.js";

/** Reads the account's address book from the platform. */
export class BookSync {
  private syncing: Promise<void> = Promise.resolve();

  constructor(
    private readonly book: AddressBook,
    /** The longest that one reading may take, and that the keys for it may be late after a login; milliseconds. */
    private readonly syncMs: number,
    private readonly log: Log,
  ) {}

  /** In the background, one at a time; what fails is read again when a status needs it. */
  soon(client: Client): void {
    this.syncing = this.syncing
      .then(() => this.read(client, false))
      .catch((error: unknown) => this.log.info({ err: error }, "address book not read"));
  }

  /** `again`: also what the platform believes to have told. Bounded; rejects like the platform. */
  async read(client: Client, again: boolean): Promise<void> {
    // Without the keys nothing can be read; they come soon after the first login, or not at all.
    if (await endsWithin(client.appStateKey, Math.max(0, this.syncMs - client.ageMs))) {
      const reading = client.syncAppState(again);
      if (await endsWithin(reading, this.syncMs)) await reading;
    }
    await this.book.idle();
  }

  /** True when the platform has told the address book at least once, or that it is empty; false also means that it cannot be asked for. */
  async isKnown(client: Client): Promise<boolean> {
    if (client.bookIsEmpty) return true;
    const { critical_unblock_low: state } = await client.sock.authState.keys.get("app-state-sync-version", ["critical_unblock_low"]);
    return state !== undefined && state !== null && state.version > 0;
  }
}
