import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";

/**
 * Wakes one loop. `next` returns a signal that the next `notify` aborts. A `notify` without a waiting loop aborts the next signal at once.
 */
export class Notifier {
  private current: AbortScope | undefined;
  private missed = false;

  next(): Ending {
    const next = new AbortScope();
    this.current = next;
    if (this.missed) next.abort(notified);
    this.missed = false;
    return next;
  }

  notify(): void {
    if (this.current === undefined || this.current.aborted) this.missed = true;
    else this.current.abort(notified);
  }
}

/** Without a reason each notification would create an exception with a stack that no code reads. */
const notified = "notified";
