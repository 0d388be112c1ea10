/** Every wait of webhook delivery, milliseconds (shard/README.md, "Webhook delivery"). Tests shorten them; nothing else does. */
export interface WebhookTiming {
  /** Variant B, "Limits": from starting to connect to the status line; the whole attempt ends with it. */
  readonly attemptMs: number;
  /** What a receiver may take to end its answer after the status line; then its connection is closed instead of kept. */
  readonly answerMs: number;
  /** Before the second attempt, the third, and so on; after the last of them it doubles up to `delayMaxMs`. */
  readonly delaysMs: readonly number[];
  readonly delayMaxMs: number;
  /** A receiver may ask for a later attempt, up to this. */
  readonly retryAfterMaxMs: number;
  /** An event that is older is given up. */
  readonly eventMs: number;
  /** For how long a destination that keeps failing is left alone. */
  readonly circuitMs: number;
  /** Before the outbox is read again when Redis did not answer. */
  readonly redisPauseMs: number;
  /** A request in flight when its session moves may take so long to end; then the next owner repeats it. */
  readonly closeMs: number;
}

export const defaultTiming: WebhookTiming = {
  attemptMs: 10_000,
  answerMs: 1_000,
  delaysMs: [1_000, 2_000, 5_000, 15_000, 30_000, 60_000, 120_000],
  delayMaxMs: 15 * 60_000,
  retryAfterMaxMs: 3_600_000,
  eventMs: 24 * 3_600_000,
  circuitMs: 30_000,
  redisPauseMs: 1_000,
  closeMs: 3_000,
};
