import { tooManyRequests } from "../../../shared/contract/errors.js";
import type { PaceStore } from "./pace-store.js";
import { used, waitMs, type Rate } from "./rate.js";

export interface LookUpPaceOptions {
  /** Returns the current rate; `undefined`: no limit. */
  readonly rate: () => Rate | undefined;
  readonly peers: PaceStore;
}

/** Its name in the session's map. No chat has such a name. */
const field = "look-ups";
/** Numbers of one request. Past this many, a stored instant comes from a clock that was wrong. */
const countMost = 50;

/**
 * Limits the phone lookups of one session, because platforms restrict accounts that query many numbers. Each number counts like a message,
 * apart from messages. A request may use more than is left: the next one is rejected until that is repaid.
 */
export class LookUpPace {
  /** The wall clock's milliseconds at which all past lookups are repaid. */
  private usedUntil: number | undefined;

  constructor(private readonly options: LookUpPaceOptions) {}

  /** Counts lookups of this many numbers, durably before it resolves. Rejects with 429 while earlier lookups are not repaid. */
  async count(numbers: number): Promise<void> {
    const rate = this.options.rate();
    if (rate === undefined) return;
    const stored = this.usedUntil ?? Number((await this.options.peers.get(field)) ?? 0);
    const now = Date.now();
    const until = Math.min(Math.max(this.usedUntil ?? 0, stored), now + (countMost + rate.burst) * rate.intervalMs);
    const tooSoonMs = waitMs(rate, until, now);
    if (tooSoonMs > 0) throw tooManyRequests(tooSoonMs);
    let next = until;
    for (let number = 0; number < numbers; number++) next = used(rate, next, now);
    this.usedUntil = next;
    await this.options.peers.setMany(new Map([[field, String(Math.ceil(next))]]));
  }
}
