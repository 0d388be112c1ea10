import type { Count, Instant } from "./plain-values.js";

/** `GET /admin/sessions/{id}/dead-letters`. */
export interface DeadLetterQuery {
  /** `next` of the page before; empty for the first. */
  after: string;
  limit: number;
}

/** An event that was given up. */
export interface DeadLetter {
  /** Where it stands among the dead letters; ids only grow. */
  id: string;
  /** The event's own type, such as `message.new`. */
  type: string;
  /** When it happened. */
  created: Instant;
  /** Requests that were sent in vain. */
  attempts: Count;
  /** `expired`: older than 24 h; `attempts`: tried 100 times; `full`: the outbox was; `unreadable`: its bytes were altered in Redis. */
  reason: string;
  /** The request's body; `null` when it is unreadable. */
  body: unknown;
}

/** Dead letters in the order in which they were given up. */
export interface DeadLetterPage {
  /** One page of them. */
  docs: DeadLetter[];
  /** `after` of the next page; empty after the last one. */
  next: string;
}

/** What became of a session's dead letters. */
export interface ReplayOutput {
  /** They wait for the receiver again, with their ids and bytes. */
  replayed: Count;
  /** What found no room in the outbox, or is from before the webhook was turned on. */
  left: Count;
}
