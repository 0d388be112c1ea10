import { Poll } from "../../shared/flow/poll.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

const everyMs = 2_000;

/** Number of commands in this member's stream, counted every 2 s: a scrape must end even while Redis is down. */
export class StreamLength {
  /** The last count. */
  entries = 0;
  private readonly poll = new Poll(everyMs, () => this.refresh());

  constructor(
    private readonly redis: RedisClient,
    private readonly member: string,
  ) {}

  start(): void {
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Never rejects: without Redis the last count stays, and the probe reports that Redis is down. */
  private async refresh(): Promise<void> {
    this.entries = await this.redis.xlen(keys.commands(this.member)).catch(() => this.entries);
  }
}
