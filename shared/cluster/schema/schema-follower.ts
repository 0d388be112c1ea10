import { Poll } from "../../flow/poll.js";
import type { Log } from "../../log/logger.js";
import type { RedisClient } from "../../redis/connect.js";
import { keys } from "../../redis/keys.js";
import { raiseSchema, readSchema } from "./schema-record.js";
import { newestSchema } from "./schema-version.js";

/** A poll reads one field. Until then records are written in the older form, which every process reads. */
const everyMs = 2_000;

export interface SchemaFollowerOptions {
  readonly redis: RedisClient;
  /** The schema at the start. */
  readonly written: number;
  readonly log: Log;
  /** Shorter in tests. */
  readonly everyMs?: number;
}

/** The schema in which records and envelopes may be written now. */
export interface SchemaPort {
  readonly written: number;
}

/** How Redis has lost its data. */
type Loss = "emptied" | "restored in part";

const sentences: Readonly<Record<Loss, string>> = {
  emptied:
    "REDIS_URL names a Redis that has lost all that it held: restore a backup (npx trunkline restore --while-running), or start every process again to begin without its logins",
  "restored in part": "a backup is being restored: should that have been broken off, do it again with npx trunkline restore --replace",
};

/**
 * Follows the schema in Redis, which rises once all processes can read it. If its number is missing, Redis has lost its data, and no
 * process takes slots until the logins are restored.
 */
export class SchemaFollower implements SchemaPort {
  private version: number;
  private wasThere = false;
  private loss: Loss | undefined;
  private lostAt: number | undefined;
  private readonly poll: Poll;

  constructor(private readonly options: SchemaFollowerOptions) {
    this.version = options.written;
    this.poll = new Poll(options.everyMs ?? everyMs, () => this.check());
  }

  get written(): number {
    return this.version;
  }

  /** Returns why this process is not ready. */
  problems(): string[] {
    return this.loss === undefined ? [] : [sentences[this.loss]];
  }

  /** Returns the milliseconds since Redis was found to have lost data; 0 while it has not. */
  emptiedForMs(): number {
    return this.lostAt === undefined ? 0 : performance.now() - this.lostAt;
  }

  /** Polls at once, because a loss is noticed only by a process that has seen the number before. */
  start(): void {
    void this.poll.now();
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Returns whether Redis still holds its data, read now. Rejects when Redis does not respond. */
  async isWhole(): Promise<boolean> {
    const { redis, log } = this.options;
    const [schema, restoring] = await Promise.all([readSchema(redis), redis.exists(keys.restoring)]);
    this.wasThere ||= schema !== undefined;
    const loss = restoring === 1 ? "restored in part" : this.wasThere && schema === undefined ? "emptied" : undefined;
    if (loss !== undefined && loss !== this.loss) log.error({ loss }, "redis lost data");
    this.loss = loss;
    this.lostAt = loss === undefined ? undefined : (this.lostAt ?? performance.now());
    if (schema !== undefined && schema > this.version) {
      // A schema newer than this build's is for other processes: this process started on a schema that it knows.
      this.version = Math.min(schema, newestSchema);
      log.info({ schema: this.version }, "schema changed");
    }
    // An older backup was restored while this process writes the newer schema. Without this, a
    // process that cannot read the newer schema could start.
    if (restoring === 0 && schema !== undefined && schema < this.version) await raiseSchema(redis, this.version);
    return loss === undefined;
  }

  /** Never rejects: without Redis nothing is written. */
  private async check(): Promise<void> {
    await this.isWhole().catch(() => undefined);
  }
}
