import { randomBytes } from "node:crypto";
import { accountRestricted } from "../../../shared/contract/errors.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { Log } from "../../../shared/log/logger.js";
import type { NewChats, RefusedCall, Restriction, StoredHealth } from "../../../shared/session/stored-health.js";
import { pause } from "../../../shared/flow/pause.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import { type CapReport, isNews, restrictionAfter, type RestrictionReport, withRefusal } from "./health-plan.js";

export interface SessionHealthOptions {
  readonly stored: StoredHealth;
  /** Returns the platform id of the account; empty while none is logged in. */
  readonly account: () => string;
  /** Durable before it resolves. */
  readonly store: (health: StoredHealth) => Promise<void>;
  /**
   * Called when a restriction begins, changes or ends (`undefined`), once that is stored. Called again with the same event id by the
   * next owner unless it has resolved with true: the event is stored, or not requested.
   */
  readonly onChanged: (restriction: Restriction | undefined, eventId: string) => Promise<boolean>;
  /** Called when a first message was blocked. */
  readonly onBlocked: () => void;
  readonly log: Log;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** The recipient of a message: one person. */
export interface Addressee {
  /** Whether the person has written to the account, as far as the platform's part knows or can find out. */
  readonly hasWritten: () => Promise<boolean>;
}

/** Refusals are stored at most this often. A crash loses those of the last second. */
const storeEveryMs = 1_000;
/** Timers hold less than 25 days, so a long restriction is checked again. */
const checkEveryMs = 3_600_000;

/**
 * Keeps how the platform treats the account, and blocks first messages while the platform restricts it. The values are stored with the
 * session, so the next owner continues.
 */
export class SessionHealth {
  private health: StoredHealth;
  private readonly writes = new SerialQueue();
  private readonly ending = new AbortScope();
  private isDirty = false;
  /** The restriction as it was last reported. Later changes too small to report may add up. */
  private reported: Restriction | undefined;
  private readonly now: () => number;

  constructor(private readonly options: SessionHealthOptions) {
    this.health = options.stored;
    this.reported = options.stored.restriction;
    this.now = options.now ?? (() => Date.now());
    const { restriction, unreported } = this.health;
    if (unreported !== undefined) void this.report(restriction, unreported);
    if (restriction !== undefined) void this.watch(restriction);
  }

  /** The restriction of the account that holds now. */
  get restriction(): Restriction | undefined {
    const { restriction } = this.health;
    return restriction !== undefined && restriction.account === this.options.account() && this.leftMs(restriction) > 0
      ? restriction
      : undefined;
  }

  /** What the platform last reported of the account's new chats; `undefined` if it reported nothing. */
  get newChats(): NewChats | undefined {
    const { newChats } = this.health;
    return newChats?.account === this.options.account() ? newChats : undefined;
  }

  /**
   * Rejects with 429 while the account is restricted, if the message goes to a person who has not written. `addresseeOf` returns
   * `undefined` for a group or channel. A repeat may have been sent by an earlier owner, so it goes on.
   */
  async admit(isRepeat: boolean | undefined, addresseeOf: () => Addressee | undefined): Promise<void> {
    if (this.restriction === undefined || isRepeat === true) return;
    const addressee = addresseeOf();
    if (addressee === undefined || (await addressee.hasWritten())) return;
    // The restriction may have ended meanwhile.
    const { restriction } = this;
    if (restriction === undefined) return;
    this.options.onBlocked();
    throw accountRestricted(this.leftMs(restriction));
  }

  /** Takes effect at once, and resolves when it is stored. Never rejects. */
  async restrict(report: RestrictionReport): Promise<void> {
    const account = this.options.account();
    const before = this.restriction;
    const after = restrictionAfter(before, report, account, this.now());
    if (account === "" || after === before || this.leftMs(after) <= 0) return;
    const isReported = isNews(before && (this.reported ?? before), after);
    this.health = { ...this.health, restriction: after };
    if (isReported) this.reported = after;
    await this.changed(isReported, after);
    void this.watch(after);
  }

  /** Ends a restriction that has one of these causes. Never rejects. */
  async lift(causes: readonly Restriction["cause"][]): Promise<void> {
    const { restriction } = this;
    if (restriction !== undefined && causes.includes(restriction.cause)) await this.end(restriction);
  }

  /** Stores what the platform reported of the account's new chats. Never rejects. */
  async learnNewChats(report: CapReport): Promise<void> {
    const account = this.options.account();
    const { used, cap, resets } = report;
    const before = this.newChats;
    if (account === "" || (before?.used === used && before.cap === cap && before.resets === resets)) return;
    this.health = { ...this.health, newChats: { account, used, cap, resets } };
    await this.write();
  }

  /** Counts a refusal. It is stored within a second. */
  refused(refusal: Omit<RefusedCall, "at">): void {
    this.health = withRefusal(this.health, { ...refusal, at: new Date(this.now()).toISOString() });
    this.writeSoon();
  }

  /** Resolves when everything is stored, or could not be. */
  async close(): Promise<void> {
    this.ending.abort();
    if (this.isDirty) await this.write();
    await this.writes.idle();
  }

  private leftMs({ until }: Restriction): number {
    return Date.parse(until) - this.now();
  }

  /** Waits until the restriction is over, unless another one replaces it. */
  private async watch(restriction: Restriction): Promise<void> {
    while (this.health.restriction === restriction && !this.ending.aborted) {
      const leftMs = this.leftMs(restriction);
      if (leftMs <= 0) {
        await this.end(restriction);
        return;
      }
      await pause(Math.min(leftMs, checkEveryMs), this.ending);
    }
  }

  private async end(restriction: Restriction): Promise<void> {
    if (this.health.restriction !== restriction) return;
    const { restriction: _, ...rest } = this.health;
    this.health = rest;
    this.reported = undefined;
    // The end of a former account's restriction concerns no receiver.
    await this.changed(restriction.account === this.options.account(), undefined);
  }

  /** Reports this change and not a later one, which is reported after it. */
  private async changed(isReported: boolean, restriction: Restriction | undefined): Promise<void> {
    const eventId = randomBytes(32).toString("hex");
    if (isReported) this.health = { ...this.health, unreported: eventId };
    await this.write();
    if (isReported) await this.report(restriction, eventId);
  }

  private async report(restriction: Restriction | undefined, eventId: string): Promise<void> {
    if (!(await this.options.onChanged(restriction, eventId)) || this.health.unreported !== eventId) return;
    const { unreported: _, ...rest } = this.health;
    this.health = rest;
    this.writeSoon();
  }

  private writeSoon(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    void pause(storeEveryMs, this.ending).then(() => (this.isDirty ? this.write() : undefined));
  }

  /** Writes the values at the time of writing, so that none is overwritten by an older one. */
  private async write(): Promise<void> {
    this.isDirty = false;
    await this.writes.run(async () => {
      try {
        await this.options.store(this.health);
      } catch (error) {
        // It holds in memory. The next change stores it.
        this.options.log.warn({ err: error }, "account health not stored");
      }
    });
  }
}
