import type { Outcome } from "../../shared/bus/envelope.js";
import { retryUntil } from "../redis/retry.js";
import type { RedisClock } from "../redis/redis-clock.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { Log } from "../../shared/log/logger.js";
import { End } from "../../shared/flow/end.js";
import type { ReplyWriter } from "./reply-writer.js";
import type { Task } from "./task.js";

/** As long past its deadline a reply is still tried: so long the router waits. */
const replyGraceMs = 2_000;

export interface RepliesOptions {
  writer: ReplyWriter;
  clock: Pick<RedisClock, "ageOf">;
  log: Log;
}

/** How a command leaves the stream: answered, forgotten, or buried when nobody can read it. */
export class Replies {
  constructor(private readonly options: RepliesOptions) {}

  /** Tried for as long as the router waits; rejects after that. The entry is seen again when Redis is back, and goes then. */
  async answer({ entry, envelope, left, recorded }: Task, outcome: Outcome): Promise<void> {
    const { writer, clock } = this.options;
    const waited = new End([left], Math.max(0, envelope.ttl - clock.ageOf(entry) + replyGraceMs));
    try {
      await retryUntil(() => writer.reply(envelope, outcome), waited);
      await recorded;
      await retryUntil(() => writer.done(entry), waited);
    } finally {
      waited.close();
    }
  }

  /** Takes an entry off the stream that nobody waits for. */
  forget(entryId: string): void {
    this.options.writer.done(entryId).catch((error: unknown) => this.options.log.warn({ err: error }, "entry could not be acknowledged"));
  }

  bury(entry: StreamEntry): void {
    this.options.writer
      .bury(entry.id, entry.fields)
      .catch((error: unknown) => this.options.log.warn({ err: error }, "envelope could not be buried"));
  }
}
