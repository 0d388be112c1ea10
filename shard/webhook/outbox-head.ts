import type { OutboxEvent, SessionOutbox } from "../session/store/session-outbox.js";

/** An event that waits; without its body when its bytes were altered in Redis. */
export type WaitingEvent = OutboxEvent | Pick<OutboxEvent, "entry">;

/** The front of an outbox as its owner works it off: the oldest events, read ahead, and how the first of them has fared so far. */
export class OutboxHead {
  private events: WaitingEvent[] = [];
  private tried = 0;
  /** On the clock of `performance.now()`. */
  private retryAt = 0;

  constructor(private readonly outbox: Pick<SessionOutbox, "oldest">) {}

  /** The oldest event, as far as this process has looked. */
  get first(): WaitingEvent | undefined {
    return this.events[0];
  }

  /** How often the first event was tried in vain. */
  get attempts(): number {
    return this.tried;
  }

  /** Milliseconds until the first event may be tried; negative when it may be. */
  get waitMs(): number {
    return this.retryAt - performance.now();
  }

  async read(): Promise<void> {
    this.events = await this.outbox.oldest(readAhead);
  }

  /** What was read is of no more use; how the first event fared still counts. */
  drop(): void {
    this.events = [];
  }

  /** The first event was tried so often, and is to be left alone for so long. */
  resume(attempts: number, waitMs: number): void {
    this.tried = attempts;
    this.retryAt = waitMs > 0 ? performance.now() + waitMs : 0;
  }

  /** The first event, whichever it is now, begins at no attempts and without a wait. */
  restart(): void {
    this.resume(0, 0);
  }

  /** An event is done with; the next one begins. */
  done(entry: string): void {
    if (this.first?.entry === entry) this.events.shift();
    this.restart();
  }
}

/** Read at once: at the usual size of an event some 20 KB. */
const readAhead = 20;
