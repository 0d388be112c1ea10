/** Every wait of webhook delivery, in milliseconds (shard/README.md, "Webhook delivery"). Only tests shorten them. */
export interface WebhookTiming {
  /** Variant B, "Limits": time from starting to connect to the status line. The whole attempt ends with it. */
  readonly attemptMs: number;
  /** Time for a receiver to end its response after the status line. After that, its connection is closed instead of kept. */
  readonly responseMs: number;
  /** Waits before the second attempt, the third, and so on. After the last of them the wait doubles up to `delayMaxMs`. */
  readonly delaysMs: readonly number[];
  readonly delayMaxMs: number;
  /** The latest attempt that a receiver may request. */
  readonly retryAfterMaxMs: number;
  /** An event that is older becomes a dead letter. */
  readonly eventMs: number;
  /** Time for which a failing destination gets no request. */
  readonly circuitMs: number;
  /** Pause before the outbox is read again after Redis failed. */
  readonly redisPauseMs: number;
  /** Time for a request in flight to end when its session moves. After that, the next owner repeats it. */
  readonly closeMs: number;
}

export const defaultTiming: WebhookTiming = {
  attemptMs: 10_000,
  responseMs: 1_000,
  delaysMs: [1_000, 2_000, 5_000, 15_000, 30_000, 60_000, 120_000],
  delayMaxMs: 15 * 60_000,
  retryAfterMaxMs: 3_600_000,
  eventMs: 24 * 3_600_000,
  circuitMs: 30_000,
  redisPauseMs: 1_000,
  closeMs: 3_000,
};
