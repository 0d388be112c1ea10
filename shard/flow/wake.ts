/** A bell that one loop listens to. `next` hands out the signal of the coming ring; a ring that nobody waited for sounds in the next signal at once. */
export class Wake {
  private current: AbortController | undefined;
  private missed = false;

  next(): AbortSignal {
    const next = new AbortController();
    this.current = next;
    if (this.missed) next.abort(rung);
    this.missed = false;
    return next.signal;
  }

  ring(): void {
    if (this.current === undefined || this.current.signal.aborted) this.missed = true;
    else this.current.abort(rung);
  }
}

/** Without a reason each ring would make an exception, and take its stack, for nobody. */
const rung = "the bell has rung";
