/** A bell that one loop listens to. `next` hands out the signal of the coming ring; a ring that nobody waited for sounds in the next signal at once. */
export class Wake {
  private current: AbortController | undefined;
  private missed = false;

  next(): AbortSignal {
    const next = new AbortController();
    this.current = next;
    if (this.missed) next.abort();
    this.missed = false;
    return next.signal;
  }

  ring(): void {
    if (this.current === undefined || this.current.signal.aborted) this.missed = true;
    else this.current.abort();
  }
}
