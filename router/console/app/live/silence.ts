/** Aborts its signal when no data arrives for a time. */
export class Silence {
  private readonly work = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly longestMs: number) {
    this.heard();
  }

  get signal(): AbortSignal {
    return this.work.signal;
  }

  heard(): void {
    this.end();
    this.timer = setTimeout(() => this.work.abort(), this.longestMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
