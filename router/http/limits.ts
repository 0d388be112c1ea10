import { bodyMaxBytes } from "../../shared/limits.js";
import type { CompressionLimits } from "./compressor.js";
import type { NewcomerLimits } from "./newcomers.js";
import type { SlowReaderLimit } from "./pace.js";

export interface HttpLimits extends NewcomerLimits {
  /** Most open connections of this process. Further ones are closed at once. */
  readonly connections: number;
  /** Most requests in progress. Further ones get 503. */
  readonly requests: number;
  readonly bodyBytes: number;
  readonly slowReader: SlowReaderLimit;
  readonly compression: CompressionLimits;
}

/** Defaults, explained in router/README.md, "Limits". */
export const defaultHttpLimits: HttpLimits = {
  connections: 50_000,
  requests: 5_000,
  newcomers: 4_000,
  // Callers behind one balancer share its address, and a burst of them waits here while Redis is read for each.
  newcomersPerAddress: 3_000,
  bodyBytes: bodyMaxBytes,
  compression: { atOnce: 2, bytes: 16 * 1024 * 1024 },
  slowReader: { bytesPerSecond: 8 * 1024, windowMs: 60_000 },
};
