import type { OutboxEvent, SessionOutbox } from "../session/store/session-outbox.js";

/** A waiting event; without its body when its bytes were altered in Redis. */
export type WaitingEvent = OutboxEvent | Pick<OutboxEvent, "entry">;

/** The front of an outbox: the oldest events, read ahead, and the attempts of the first one. */
export class OutboxHead {
  private events: WaitingEvent[] = [];
  private tried = 0;
  /** On the clock of `performance.now()`. */
  private retryAt = 0;

  constructor(private readonly outbox: Pick<SessionOutbox, "oldest">) {}

  /** The oldest event that this process has read. */
  get first(): WaitingEvent | undefined {
    return this.events[0];
  }

  /** Failed attempts of the first event. */
  get attempts(): number {
    return this.tried;
  }

  /** Milliseconds until the first event may be tried; negative when it may be tried now. */
  get waitMs(): number {
    return this.retryAt - performance.now();
  }

  async read(): Promise<void> {
    this.events = await this.outbox.oldest(readAhead);
  }

  /** Drops the events that were read. The attempts of the first one still count. */
  drop(): void {
    this.events = [];
  }

  /** Sets the failed attempts of the first event, and its wait in milliseconds. */
  resume(attempts: number, waitMs: number): void {
    this.tried = attempts;
    this.retryAt = waitMs > 0 ? performance.now() + waitMs : 0;
  }

  /** Resets attempts and wait for the first event, whichever it is now. */
  restart(): void {
    this.resume(0, 0);
  }

  /** Removes an event that is done, and begins the next one. */
  done(entry: string): void {
    if (this.first?.entry === entry) this.events.shift();
    this.restart();
  }
}

/** Events read at once: some 20 KB at their usual size. */
const readAhead = 20;
