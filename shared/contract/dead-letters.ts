import type { Count, Instant } from "./plain-values.js";

/** Query of `GET /admin/sessions/{id}/dead-letters`. */
export interface DeadLetterQuery {
  /** `next` of the previous page; empty for the first page. */
  after: string;
  limit: number;
}

/** An event that could not be delivered. */
export interface DeadLetter {
  /** Number of the failed event. Later events have higher numbers. */
  id: string;
  /** Type of the event, such as `message.new`. */
  type: string;
  /** Time of the event. */
  created: Instant;
  /** Number of failed attempts. */
  attempts: Count;
  /** `expired`: older than 24 hours; `attempts`: 100 failed attempts; `full`: queue full; `unreadable`: damaged in Redis. */
  reason: string;
  /** Body of the webhook request. `null` if unreadable. */
  body: unknown;
}

/** Failed events, in the order in which they failed permanently. */
export interface DeadLetterPage {
  /** Failed events of this page. */
  docs: DeadLetter[];
  /** Pass it as `after` to get the next page. Empty on the last page. */
  next: string;
}

/** Result of replaying failed events. */
export interface ReplayOutput {
  /** Number of events that are pending again, with unchanged ids and bodies. */
  replayed: Count;
  /** Number of events that were not replayed: the queue is full, or they are older than the current webhook. */
  left: Count;
}
