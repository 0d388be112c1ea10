/** `GET /admin/sessions/{id}/dead-letters`. */
export interface DeadLetterQuery {
  /** `next` of the page before; empty for the first. */
  after: string;
  limit: number;
}

/** An event that was given up. */
export interface DeadLetter {
  id: string;
  type: string;
  created: string;
  /** Requests that were sent in vain. */
  attempts: number;
  /** `expired`: older than 24 h; `attempts`: tried 100 times; `full`: the outbox was; `unreadable`: its bytes were altered in Redis. */
  reason: string;
  /** The request's body; `null` when it is unreadable. */
  body: unknown;
}

export interface DeadLetterPage {
  docs: DeadLetter[];
  /** For the next page; empty after the last one. */
  next: string;
}

/** `POST /admin/sessions/{id}/dead-letters/replay`. */
export interface ReplayOutput {
  replayed: number;
  /** What found no room in the outbox, or is from before the webhook was turned on. */
  left: number;
}
