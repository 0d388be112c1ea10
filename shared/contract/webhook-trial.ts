import type { Count } from "./plain-values.js";

/** Result of an immediate retry. */
export interface RetryOutput {
  /** Pending events. The gateway sends the oldest event now, and the others after a success. */
  waiting: Count;
}

/** A test event. */
export interface TestEventOutput {
  /** Id of the event, sent in the header `webhook-id`. */
  id: string;
  /** Pending events, including this one. It is sent last. */
  waiting: Count;
}

/** Data of a test event. */
export interface TestData {
  /** Explanation of the test event. */
  text: string;
}
