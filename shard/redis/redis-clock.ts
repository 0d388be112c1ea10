import { Poll } from "../../shared/flow/poll.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { masterOf } from "../../shared/redis/topology.js";

const sampleMs = 10_000;
/** Past this the clock jumped and an entry's age means nothing. */
const jumpMs = 5_000;

/**
 * The Redis clock seen from here: deadlines count on it, so host clocks do not matter. On a cluster it is that of the server that has the stream, whose ids are judged.
 * After a jump of more than 5 s ages count from the moment of reading until the next quiet sample.
 */
export class RedisClock {
  private offsetMs = 0;
  private trusted = false;
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

  /** Milliseconds since the entry was added, 0 while the clock is not to be trusted. */
  ageOf(entryId: string): number {
    if (!this.trusted) return 0;
    const addedAt = Number(entryId.split("-")[0]);
    return Number.isFinite(addedAt) ? Math.max(0, performance.now() + this.offsetMs - addedAt) : 0;
  }

  /** Never rejects. */
  private async sample(): Promise<void> {
    try {
      const sentAt = performance.now();
      const [seconds, microseconds] = await (masterOf(this.redis, this.stream) ?? this.redis).time();
      const here = (sentAt + performance.now()) / 2;
      const offsetMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - here;
      const jumped = this.trusted && Math.abs(offsetMs - this.offsetMs) > jumpMs;
      if (jumped) this.log.warn({ jumpMs: Math.round(offsetMs - this.offsetMs) }, "redis clock jumped");
      this.offsetMs = offsetMs;
      this.trusted = !jumped;
    } catch {
      // Without Redis there are no entries to judge either; the next sample tells.
    }
  }
}
