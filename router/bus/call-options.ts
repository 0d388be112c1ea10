import type { Idempotency } from "../../shared/bus/envelope.js";

export interface CallOptions {
  /** Ends the waiting, not the command. */
  readonly signal?: AbortSignal | undefined;
  /** The shard's log lines name it. */
  readonly requestId?: string | undefined;
}

export interface KeyedCallOptions extends CallOptions {
  readonly idempotency: Idempotency;
}
