/** Every wait of the adapter, milliseconds. Tests shorten them; nothing else does. */
export interface TelegramTiming {
  /** TCP connect. */
  readonly connectMs: number;
  /** TCP connect, new key and first call together. */
  readonly openMs: number;
  /** A call that names no deadline of its own. */
  readonly callMs: number;
  /** A message whose answer does not come for so long, although the connection lives, goes out again, then after twice as long, and so on. */
  readonly answerMs: number;
  /** A file that is slow in coming, or going, lets the session's other commands pass after so long. */
  readonly composeMs: number;
  /** A message whose connection was lost waits so long for the next one. */
  readonly resendMs: number;
  /** From one phone lookup of a session to its next; the platform asks for 3 s. */
  readonly phoneGapMs: number;
  /**
   * The platform drops a connection on which no ping came for so long. The sessions of a process that nobody saw die wait for that before they connect elsewhere. A connection outlives whatever
   * stall its lease outlives (17 s), because that much is left after the longest pause between two pings.
   */
  readonly dropMs: number;
  /** The pause between two pings lies between these; a call that also notices a removed device goes with every fourth. */
  readonly pingMinMs: number;
  readonly pingMaxMs: number;
  /** A ping unanswered for so long means that the connection is dead. */
  readonly pongMs: number;
  /** Updates that failed are fetched again after a random time of up to this, doubled with each failure in a row, never above `backoffMaxMs`. */
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** An update that arrives early waits so long for those before it. */
  readonly gapMs: number;
  /** A media connection without work is closed. */
  readonly mediaIdleMs: number;
}

export const defaultTiming: TelegramTiming = {
  connectMs: 10_000,
  openMs: 25_000,
  callMs: 30_000,
  answerMs: 15_000,
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
  mediaIdleMs: 30_000,
};
