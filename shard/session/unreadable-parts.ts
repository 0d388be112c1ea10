import type { Log } from "../../shared/log/logger.js";
import type { UnreadableRecord } from "../../shared/session/unreadable-record.js";

/** Kept for a day, for a device that requests it again. An unreadable one says nothing about the login, and expires by itself. */
const passingPart = "sent message";
/** Longest time until a restored key is noticed. Thousands of unreadable sessions cost Redis some 100 reads a second. */
const rereadMs = 60_000;

export interface UnreadablePartsOptions {
  /**
   * Reads a part again, and rejects while it does not open. Parts that are not named here are read again by their users, who call `opened`.
   */
  readonly rereads: ReadonlyMap<string, () => Promise<unknown>>;
  /** Returns false once the session is deleted or has another owner: nothing is read again from then on. */
  readonly live: () => boolean;
  /** Called when every part opens again, or is gone. */
  readonly onAllOpen: () => void;
  readonly log: Log;
  /** Shorter in tests. */
  readonly rereadMs?: number | undefined;
}

/** Names of the parts of a session's record that do not open. Each is reported once, and read again until it opens. */
export class UnreadableParts {
  private readonly parts = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: UnreadablePartsOptions) {}

  /** Returns true when the session must be marked as unreadable. */
  found(record: UnreadableRecord): boolean {
    const { part } = record;
    if (!this.parts.has(part)) this.options.log.error({ part, err: record }, "stored record unreadable");
    this.parts.add(part);
    this.rereadLater();
    return part !== passingPart;
  }

  opened(part: string): void {
    if (this.parts.delete(part)) this.options.log.info({ part }, "stored record readable again");
  }

  private rereadLater(): void {
    if (this.timer !== undefined || ![...this.parts].some((part) => this.options.rereads.has(part))) return;
    this.timer = setTimeout(() => void this.reread(), this.options.rereadMs ?? rereadMs).unref();
  }

  private async reread(): Promise<void> {
    for (const part of [...this.parts]) {
      if (!this.options.live()) return;
      const read = this.options.rereads.get(part);
      if (read === undefined) continue;
      // If the read fails for any reason, the next round tries again.
      await read().then(
        () => this.opened(part),
        () => undefined,
      );
    }
    this.timer = undefined;
    if (!this.options.live()) return;
    if ([...this.parts].every((part) => part === passingPart)) this.options.onAllOpen();
    else this.rereadLater();
  }
}
