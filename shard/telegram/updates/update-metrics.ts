/**
 * Why the difference is fetched: a count (`pts`) or container (`seq`) is missing, pushes are behind (`silence`), the queue was full
 * (`overflow`), the platform demands it (`too-long`), a sender is unknown (`stranger`), or a channel has missed updates (`channel`).
 */
export type GapCause = "pts" | "seq" | "silence" | "overflow" | "too-long" | "stranger" | "channel";

/** Called on each event; label values come from closed sets. */
export interface UpdateMetrics {
  /** Counted updates: `applied` in order, `repeated`, or `held` until an earlier one arrives. */
  onUpdates?(outcome: "applied" | "repeated" | "held", count: number): void;
  /** Called when a gap was found and the difference is fetched. */
  onGap?(cause: GapCause): void;
  /** Result of one request for the difference: nothing new, a page, the last page, changes lost, a flood wait, or a failure. */
  onDifference?(outcome: "empty" | "part" | "whole" | "too-long" | "wait" | "failed"): void;
  /** Called for each stored event. */
  onEvent?(type: string): void;
  /** Change in the number of queued updates. */
  onUpdateQueue?(change: number): void;
}
