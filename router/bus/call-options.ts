import type { Idempotency } from "../../shared/bus/envelope.js";

export interface CallOptions {
  /** Aborting stops the wait for the outcome. The command itself goes on. */
  readonly signal?: AbortSignal | undefined;
  /** The shard's log lines carry it. */
  readonly requestId?: string | undefined;
}

export interface KeyedCallOptions extends CallOptions {
  readonly idempotency: Idempotency;
}
