import { Poll } from "../../shared/flow/poll.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { masterOf } from "../../shared/redis/topology.js";

const sampleMs = 10_000;
/** Past this the clock has jumped, and an entry's age means nothing. */
const jumpMs = 5_000;

/** How far the Redis clock is ahead of this process's monotonic clock, in ms, at the last sample. */
export interface ClockView {
  readonly offsetMs: number;
  /** False before the first sample, and after a jump until the next quiet one. */
  readonly isTrusted: boolean;
}

/** Returns the view after a sample. A jump makes it untrusted until the next sample without one. */
export function afterSample(before: ClockView, offsetMs: number): ClockView {
  return { offsetMs, isTrusted: !(before.isTrusted && Math.abs(offsetMs - before.offsetMs) > jumpMs) };
}

/** Returns the milliseconds since an entry was added, 0 while the clock is not trusted. */
export function entryAgeMs({ offsetMs, isTrusted }: ClockView, entryId: string, now: number): number {
  if (!isTrusted) return 0;
  const addedAt = Number(entryId.split("-")[0]);
  return Number.isFinite(addedAt) ? Math.max(0, now + offsetMs - addedAt) : 0;
}

/**
 * The Redis clock, on which deadlines count, so that host clocks do not matter. On a cluster it is the clock of the stream's server. After
 * a jump ages are 0 until the next quiet sample.
 */
export class RedisClock {
  private view: ClockView = { offsetMs: 0, isTrusted: false };
  private readonly poll = new Poll(sampleMs, () => this.sample());

  constructor(
    private readonly redis: RedisClient,
    private readonly stream: string,
    private readonly log: Log,
  ) {}

  async start(): Promise<void> {
    await this.poll.now();
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Returns the milliseconds since the entry was added, 0 while the clock is not trusted. */
  ageOf(entryId: string): number {
    return entryAgeMs(this.view, entryId, performance.now());
  }

  /** Never rejects. */
  private async sample(): Promise<void> {
    try {
      const sentAt = performance.now();
      const [seconds, microseconds] = await (masterOf(this.redis, this.stream) ?? this.redis).time();
      const here = (sentAt + performance.now()) / 2;
      const offsetMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - here;
      const before = this.view;
      this.view = afterSample(before, offsetMs);
      if (before.isTrusted && !this.view.isTrusted) this.log.warn({ jumpMs: Math.round(offsetMs - before.offsetMs) }, "redis clock jumped");
    } catch {
      // Without Redis there are no entries to judge either. The next sample retries.
    }
  }
}
