import { bodyMaxBytes } from "../../shared/limits.js";
import type { CompressionLimits } from "./compressor.js";
import type { NewcomerLimits } from "./newcomers.js";
import type { SlowReaderLimit } from "./pace.js";

export interface HttpLimits extends NewcomerLimits {
  /** Open connections of this process; more are closed at once. */
  readonly connections: number;
  /** Requests in progress; more are answered 503. */
  readonly requests: number;
  readonly bodyBytes: number;
  readonly slowReader: SlowReaderLimit;
  readonly compression: CompressionLimits;
}

/** router/README.md, "Limits". */
export const defaultHttpLimits: HttpLimits = {
  connections: 50_000,
  requests: 5_000,
  newcomers: 4_000,
  // Callers behind one balancer share its address, and a burst of them stands here while Redis is asked for each.
  newcomersPerAddress: 3_000,
  bodyBytes: bodyMaxBytes,
  compression: { atOnce: 2, bytes: 16 * 1024 * 1024 },
  slowReader: { bytesPerSecond: 8 * 1024, windowMs: 60_000 },
};
