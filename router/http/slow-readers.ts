import { every } from "../../shared/flow/every.js";
import type { SlowReaderLimit } from "./pace.js";

/** Somebody whose bytes wait for room in the socket. */
export interface WaitingReader {
  /** Called every so often while it waits. */
  check(): void;
}

/**
 * All readers whose bytes wait, with one timer: a timer each would cost a download from memory more than finding its bytes (bench/findings.md). Each is
 * looked at every `checkMs` from the beginning of its wait; not all in one turn, because a look may move bytes.
 */
export class SlowReaders {
  private readonly checkMs: number;
  /** When each is due; in that order, because all wait equally long. */
  private readonly due = new Map<WaitingReader, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly limit: SlowReaderLimit) {
    this.checkMs = Math.min(checkMostMs, Math.max(10, limit.windowMs / 12));
  }

  add(reader: WaitingReader): void {
    this.due.set(reader, performance.now() + this.checkMs);
    this.timer ??= every(this.checkMs / ticksByCheck, () => this.tick()).unref();
  }

  delete(reader: WaitingReader): void {
    this.due.delete(reader);
  }

  private tick(): void {
    const now = performance.now();
    for (const [reader, dueAt] of this.due) {
      if (dueAt > now) return;
      this.due.delete(reader);
      this.due.set(reader, now + this.checkMs);
      reader.check();
    }
    if (this.due.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** The engine counts its 10 s in steps of 4 s. */
const checkMostMs = 3_000;
const ticksByCheck = 10;
