import type { BackoffTiming } from "../flow/backoff.js";

/** Every wait of a session's life, in milliseconds. Only tests shorten them. */
export interface SessionTiming extends BackoffTiming {
  /** Upper bound of a log-out on the platform. */
  readonly logOutMs: number;
  /** Upper bound of a session's close. */
  readonly closeMs: number;
  /** If a first connect takes longer, the commands that wait for it fail with `session not connected`. */
  readonly connectWaitMs: number;
  /** Most milliseconds for running work when a session changes its route. Less than the deadline of the command that requests it. */
  readonly leaveMs: number;
  /** Wait between a connection that we closed and the next one by another route, as between two hosts when a slot moves. */
  readonly rerouteMs: number;
}

export const defaultTiming: SessionTiming = {
  backoffMinMs: 1_000,
  backoffMaxMs: 60_000,
  logOutMs: 10_000,
  closeMs: 5_000,
  connectWaitMs: 10_000,
  leaveMs: 5_000,
  rerouteMs: 2_000,
};
