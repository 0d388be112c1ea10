/**
 * Why the platform is asked for the difference: a count (`pts`) or a container (`seq`) is missing, the account's state is beyond what was pushed
 * (`silence`), the queue was full (`overflow`), the platform says so (`too-long`), or a message is from somebody unknown (`stranger`).
 */
export type GapCause = "pts" | "seq" | "silence" | "overflow" | "too-long" | "stranger";

/** Called as things happen; labels come from closed sets. */
export interface UpdateMetrics {
  /** Counted updates: `applied` in their turn, `repeated`, or `held` until an earlier one comes. */
  onUpdates?(outcome: "applied" | "repeated" | "held", count: number): void;
  /** Something is missing, and the platform is asked for the difference. */
  onGap?(cause: GapCause): void;
  /** One answer to that question: nothing, a page, the last page, or that the platform no longer knows (something was lost); or none. */
  onDifference?(outcome: "empty" | "part" | "whole" | "too-long" | "wait" | "failed"): void;
  /** An event that was stored. */
  onEvent?(type: string): void;
  /** Updates that wait in queues, as a change of their number. */
  onUpdateQueue?(change: number): void;
}
