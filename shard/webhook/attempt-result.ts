/** How an attempt ended: a closed set, for metrics. `ended`: our side aborted it, so it does not count as an attempt. */
export type AttemptOutcome =
  | "delivered"
  | "redirect"
  | "client-error"
  | "server-error"
  | "timeout"
  | "tls"
  | "network"
  | "blocked"
  | "ended";

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** Absent when no status line came. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}
