import { afterAll, beforeAll, beforeEach } from "vitest";
import { keys } from "../../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

type Outcome = "written" | "lost" | "skipped";

/** A separate Redis for one test file, empty before each test. */
export class LiveEventsUnderTest {
  /** Outcomes of events, as the metrics count them. */
  counts: Record<Outcome, number> = { written: 0, lost: 0, skipped: 0 };
  private running: TestRedis | undefined;

  constructor() {
    beforeAll(async () => {
      this.running = await startRedis();
    });
    afterAll(() => this.running?.stop());
    beforeEach(async () => {
      await this.redis.flushall();
      this.counts = { written: 0, lost: 0, skipped: 0 };
    });
  }

  get redis(): TestRedis["client"] {
    if (this.running === undefined) throw new Error("no Redis before the first test");
    return this.running.client;
  }

  readonly count = (outcome: Outcome, events: number): void => {
    this.counts[outcome] += events;
  };

  /** Resolves with all events of the stream, in order. */
  async published(): Promise<Record<string, unknown>[]> {
    const rows = await this.redis.xrange(keys.liveEvents, "-", "+");
    return rows.map(([, fields]) => JSON.parse(fields[1] ?? "") as Record<string, unknown>);
  }
}
