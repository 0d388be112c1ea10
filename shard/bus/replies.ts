import type { Envelope, Outcome } from "../../shared/bus/envelope.js";
import { retryUntil } from "../redis/retry.js";
import type { RedisClock } from "../redis/redis-clock.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { pause } from "../../shared/flow/pause.js";
import type { ReplyWriter } from "./reply-writer.js";
import type { Task } from "./task.js";

/** As long past its deadline a reply is still tried: so long the router waits. */
const replyGraceMs = 2_000;
/** A router makes a stream again that Redis has lost within a second, once it reaches Redis. */
const streamLostMs = 12_000;

export interface RepliesOptions {
  writer: ReplyWriter;
  clock: Pick<RedisClock, "ageOf">;
  /** Told of each outcome that no router took. */
  onUnheard: () => void;
  log: Log;
}

/** How a command leaves the stream: answered, forgotten, or buried when nobody can read it. */
export class Replies {
  constructor(private readonly options: RepliesOptions) {}

  /**
   * Tried for as long as the router waits; rejects after that, and the entry goes with the next. Where its slot leaves first it is seen again when Redis is back. `answered` is called when the reply is there, and the record: to take the entry off,
   * for which this waits as well, may take some milliseconds more.
   */
  async answer(task: Task, outcome: Outcome, answered: () => void): Promise<void> {
    const { entry, envelope, left, recorded } = task;
    const { writer, clock, onUnheard } = this.options;
    const waited = new AbortScope([left], Math.max(0, envelope.ttl - clock.ageOf(entry) + replyGraceMs));
    try {
      if (!(await this.tell(envelope, outcome, waited))) onUnheard();
      await recorded;
      answered();
      await retryUntil(() => writer.done(entry), waited);
    } catch (error) {
      if (!left.aborted || task.caller !== "waits") this.forget(entry);
      throw error;
    } finally {
      waited.close();
    }
  }

  /** False when its router had no stream for so long that it must be gone. */
  private async tell(envelope: Envelope, outcome: Outcome, waited: AbortScope): Promise<boolean> {
    const endsAt = performance.now() + streamLostMs;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      if (await retryUntil(() => this.options.writer.reply(envelope, outcome), waited)) return true;
      if (waited.aborted || performance.now() >= endsAt) return false;
      await pause(pauseMs, waited);
    }
  }

  /** Takes an entry off the stream that nobody waits for. */
  forget(entryId: string): void {
    this.options.writer.done(entryId).catch((error: unknown) => this.options.log.warn({ err: error }, "command entry not acknowledged"));
  }

  bury(entry: StreamEntry): void {
    this.options.writer
      .bury(entry.id, entry.fields)
      .catch((error: unknown) => this.options.log.warn({ err: error }, "unreadable envelope not moved"));
  }
}
