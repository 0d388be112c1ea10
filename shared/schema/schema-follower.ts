import type { Log } from "../log/logger.js";
import type { RedisClient } from "../redis/connect.js";
import { readSchema } from "./schema-record.js";
import { newestSchema } from "./schema-version.js";

/** One field. What is written in an older form meanwhile is read by everybody. */
const everyMs = 2_000;

export interface SchemaFollowerOptions {
  readonly redis: RedisClient;
  /** As it stood at the start. */
  readonly written: number;
  readonly log: Log;
  /** Tests do not wait 2 s. */
  readonly everyMs?: number;
}

/** In which form records and envelopes may be written now. */
export interface SchemaPort {
  readonly written: number;
}

/** Learns when all processes read a newer schema, which is written from then on. */
export class SchemaFollower implements SchemaPort {
  private known: number;
  private asking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SchemaFollowerOptions) {
    this.known = options.written;
  }

  get written(): number {
    return this.known;
  }

  start(): void {
    this.timer = setInterval(() => {
      if (this.known < newestSchema) this.asking ??= this.ask().finally(() => (this.asking = undefined));
    }, this.options.everyMs ?? everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.asking;
  }

  /** Never rejects: without Redis nothing is written. */
  private async ask(): Promise<void> {
    const schema = await readSchema(this.options.redis).catch(() => this.known);
    if (schema <= this.known) return;
    // A newer one than this build's is another's business: it started on one that it knows.
    this.known = Math.min(schema, newestSchema);
    this.options.log.info({ schema: this.known }, "records are written in another schema");
  }
}
