import { readReports } from "../../shared/cluster/process-report.js";
import { Poll } from "../../shared/flow/poll.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { raiseSchema } from "../../shared/cluster/schema/schema-record.js";
import type { SchemaPort } from "../../shared/cluster/schema/schema-follower.js";
import { newestSchema, processesBehind } from "../../shared/cluster/schema/schema-version.js";

const everyMs = 5_000;
/** Six reports: by then every running process has reported what it reads. */
const unanimousMs = 30_000;

export interface SchemaRaiserOptions {
  readonly redis: RedisClient;
  readonly schema: SchemaPort;
  /** Names of the live shards, by their own records. */
  readonly shards: () => readonly string[];
  readonly log: Log;
  /** Shorter in tests. */
  readonly everyMs?: number;
  readonly unanimousMs?: number;
}

/** Raises the schema once all processes have been able to read it for a while. Every shard checks, and all decide alike. */
export class SchemaRaiser {
  private readonly poll: Poll;
  private unanimousSince: number | undefined;
  private loggedNames = "";

  constructor(private readonly options: SchemaRaiserOptions) {
    this.poll = new Poll(options.everyMs ?? everyMs, () => this.check());
  }

  start(): void {
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Never rejects. */
  private async check(): Promise<void> {
    const { redis, schema, shards, log } = this.options;
    if (schema.written >= newestSchema) return;
    try {
      const behind = processesBehind(newestSchema, await readReports(redis), shards());
      if (behind.length > 0) {
        this.unanimousSince = undefined;
        this.logBehind(behind);
        return;
      }
      const now = performance.now();
      this.unanimousSince ??= now;
      if (now - this.unanimousSince < (this.options.unanimousMs ?? unanimousMs)) return;
      await raiseSchema(redis, newestSchema);
      log.info({ schema: newestSchema }, "schema raised");
    } catch (error) {
      this.unanimousSince = undefined;
      log.debug({ err: error }, "schema raise failed, retrying");
    }
  }

  private logBehind(behind: readonly string[]): void {
    const names = behind.join(", ");
    if (names !== this.loggedNames) this.options.log.info({ waitsFor: names }, "schema raise waiting for outdated processes");
    this.loggedNames = names;
  }
}
