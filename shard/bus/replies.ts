import type { CommandHead, Outcome } from "../../shared/bus/envelope.js";
import { retryUntil } from "../redis/retry.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { pause } from "../../shared/flow/pause.js";
import type { ReplyWriter } from "./reply-writer.js";
import type { Task } from "./task.js";

/** How long past its deadline a reply is still retried. The router waits as long. */
const replyGraceMs = 2_000;
/** A router that reaches Redis recreates a lost stream within a second. */
const streamLostMs = 12_000;

export interface RepliesOptions {
  writer: ReplyWriter;
  /** Called for each outcome that no router took. */
  onUndelivered: () => void;
  log: Log;
}

/** Removes commands from the stream: with a reply, without one, or moved to the dead commands when unreadable. */
export class Replies {
  constructor(private readonly options: RepliesOptions) {}

  /**
   * Retries the reply while the router waits, then rejects and removes the entry. If the slot leaves first, the entry stays and is read
   * again once Redis is back. `onStored` is called once reply and record are stored, before the entry is removed.
   */
  async reply(task: Task, outcome: Outcome, onStored: () => void): Promise<void> {
    const { entry, envelope, left, recorded } = task;
    const { writer, onUndelivered } = this.options;
    const waited = new AbortScope([left], Math.max(0, envelope.ttl - task.ageMs() + replyGraceMs));
    try {
      if (!(await this.deliver(envelope, outcome, waited))) onUndelivered();
      await recorded;
      onStored();
      await retryUntil(() => writer.done(entry), waited);
    } catch (error) {
      if (!left.aborted || task.caller !== "waits") this.forget(entry);
      throw error;
    } finally {
      waited.close();
    }
  }

  /** Returns false when the router has had no stream for long enough to be considered gone. */
  private async deliver(envelope: CommandHead, outcome: Outcome, waited: AbortScope): Promise<boolean> {
    const endsAt = performance.now() + streamLostMs;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      if (await retryUntil(() => this.options.writer.reply(envelope, outcome), waited)) return true;
      if (waited.aborted || performance.now() >= endsAt) return false;
      await pause(pauseMs, waited);
    }
  }

  /** Removes an entry whose caller has gone. */
  forget(entryId: string): void {
    this.options.writer.done(entryId).catch((error: unknown) => this.options.log.warn({ err: error }, "command entry not acknowledged"));
  }

  bury(entry: StreamEntry): void {
    this.options.log.error({ entry: entry.id }, "command envelope unreadable");
    this.options.writer
      .bury(entry.id, entry.fields)
      .catch((error: unknown) => this.options.log.warn({ err: error }, "unreadable envelope not moved"));
  }
}
