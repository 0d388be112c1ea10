import type { BackoffTiming } from "../flow/backoff.js";

/** Every wait of a session's life, milliseconds. Tests shorten them; nothing else does. */
export interface SessionTiming extends BackoffTiming {
  /** Upper bound of a log-out on the platform. */
  readonly logOutMs: number;
  /** Upper bound of a session's close. */
  readonly closeMs: number;
  /** A first connect that takes longer leaves the commands that wait for it with `session not connected`. */
  readonly connectWaitMs: number;
  /** Most milliseconds for running work when a session changes its route. Less than the deadline of the command that requests it. */
  readonly leaveMs: number;
  /** Between a connection that we closed and the next one by another way: as between two hosts of which one gives a slot back. */
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
