import { afterAll, beforeAll, beforeEach } from "vitest";
import { keys } from "../../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

type Outcome = "written" | "lost" | "unheard";

/** A Redis of its own for a file of tests, empty before each of them. */
export class NewsUnderTest {
  /** What became of news, as it was counted. */
  counts: Record<Outcome, number> = { written: 0, lost: 0, unheard: 0 };
  private running: TestRedis | undefined;

  constructor() {
    beforeAll(async () => {
      this.running = await startRedis();
    });
    afterAll(() => this.running?.stop());
    beforeEach(async () => {
      await this.redis.flushall();
      this.counts = { written: 0, lost: 0, unheard: 0 };
    });
  }

  get redis(): TestRedis["client"] {
    if (this.running === undefined) throw new Error("no Redis before the first test");
    return this.running.client;
  }

  readonly count = (outcome: Outcome, news: number): void => {
    this.counts[outcome] += news;
  };

  /** All that stands in the stream, in its order. */
  async told(): Promise<Record<string, unknown>[]> {
    const rows = await this.redis.xrange(keys.news, "-", "+");
    return rows.map(([, fields]) => JSON.parse(fields[1] ?? "") as Record<string, unknown>);
  }
}
