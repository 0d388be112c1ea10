import type { Idempotency } from "../../shared/bus/envelope.js";
import type { Ending } from "../../shared/flow/ending.js";

export interface CallOptions {
  /** Aborting stops the wait for the outcome. The command itself goes on. */
  readonly signal?: Ending | undefined;
  /** The shard's log lines carry it. */
  readonly requestId?: string | undefined;
}

export interface KeyedCallOptions extends CallOptions {
  readonly idempotency: Idempotency;
}
