/** Every wait of the adapter, in milliseconds. Only tests change them. */
export interface TelegramTiming {
  /** Limit for the TCP connect. */
  readonly connectMs: number;
  /** Limit for the TCP connect, the new key and the first call together. */
  readonly openMs: number;
  /** Default deadline of a call. */
  readonly callMs: number;
  /** A message without a reply on a living connection is sent again after this time, then after twice this time, and so on. */
  readonly replyMs: number;
  /** After this time, a slow download or upload lets the session's other commands go first. */
  readonly composeMs: number;
  /** A message whose connection was lost waits this long for the next connection. */
  readonly resendMs: number;
  /** Minimum time between two phone lookups of a session; the platform requires 3 s. */
  readonly phoneGapMs: number;
  /**
   * The platform drops a connection after this time without a ping. Sessions of a dead process connect elsewhere only after that. Long
   * enough to survive any stall that the lease survives (17 s).
   */
  readonly dropMs: number;
  /** Bounds of the random pause between two pings. Every fourth ping is joined by a call that detects a removed device. */
  readonly pingMinMs: number;
  readonly pingMaxMs: number;
  /** A connection whose ping gets no reply within this time is dead. */
  readonly pongMs: number;
  /**
   * After a failure, updates are fetched again after a random time up to this, doubled with each failure in a row, never above
   * `backoffMaxMs`.
   */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** An update that arrives early waits this long for the ones before it. */
  readonly gapMs: number;
  /** While no webhook wants events, the position in the updates is stored this long after it moved. */
  readonly positionMs: number;
  /** A media connection without work is closed after this time. */
  readonly mediaIdleMs: number;
}

export const defaultTiming: TelegramTiming = {
  connectMs: 10_000,
  openMs: 25_000,
  callMs: 30_000,
  replyMs: 15_000,
  composeMs: 5_000,
  resendMs: 30_000,
  phoneGapMs: 3_000,
  dropMs: 45_000,
  pingMinMs: 20_000,
  pingMaxMs: 25_000,
  pongMs: 10_000,
  backoffMinMs: 1_000,
  backoffMaxMs: 15_000,
  gapMs: 500,
  positionMs: 5_000,
  mediaIdleMs: 30_000,
};
