import type { Count } from "./plain-values.js";

/** What was asked to go out at once. */
export interface RetryOutput {
  /** Events that wait: the oldest is tried now, the others follow when it is taken. */
  waiting: Count;
}

/** A test event. */
export interface TestEventOutput {
  /** Its id, which the receiver finds in `webhook-id`. */
  id: string;
  /** Events that wait, with this one: it goes out behind the others. */
  waiting: Count;
}

/** What an event of the type `test` tells: somebody asked for it in order to try the receiver. */
export interface TestData {
  /** A sentence that says so. */
  text: string;
}
