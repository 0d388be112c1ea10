/** Wakes one loop. `next` gives a signal that the next `notify` aborts; a `notify` that nobody waited for aborts the next signal at once. */
export class Notifier {
  private current: AbortController | undefined;
  private missed = false;

  next(): AbortSignal {
    const next = new AbortController();
    this.current = next;
    if (this.missed) next.abort(notified);
    this.missed = false;
    return next.signal;
  }

  notify(): void {
    if (this.current === undefined || this.current.signal.aborted) this.missed = true;
    else this.current.abort(notified);
  }
}

/** Without a reason each notification would make an exception, and take its stack, for nobody. */
const notified = "notified";
