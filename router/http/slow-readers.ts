import { every } from "../../shared/flow/every.js";
import type { SlowReaderLimit } from "./pace.js";

/** A response whose bytes wait for room in the socket. */
export interface WaitingReader {
  /** Called at intervals while bytes wait. */
  check(): void;
}

/**
 * All waiting readers, with one timer: a timer each would cost more than finding the bytes of a download from memory (bench/findings.md).
 * Checks are spread over turns, because a check may move bytes.
 */
export class SlowReaders {
  private readonly checkMs: number;
  /** Due times. The map is in that order, because all wait equally long. */
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
