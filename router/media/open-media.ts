import { serverBusy } from "../../shared/contract/errors.js";
import type { Log } from "../../shared/log/logger.js";
import { InFlightLimit, type InFlightLimits } from "../endpoint/in-flight-limit.js";
import { ChunkLoader, type ChunkMetrics, type ChunkStore, type LocalChunkPort } from "./chunk-loader.js";
import type { LookupMetrics } from "./media-at-hand.js";
import type { BytesPort } from "./media-bytes.js";

export interface MediaOptions {
  readonly chunks: ChunkStore;
  /** Set if a shard runs in the same process. */
  readonly local?: LocalChunkPort | undefined;
  readonly bytes: BytesPort;
  /** Limit of the chunks kept in this process, bytes; 0 keeps none. */
  readonly memoryBytes: number;
  /** Most concurrent media streams of all sessions. */
  readonly streams?: number;
  readonly streamLimits?: InFlightLimits;
  /** True if several tenants use this router. */
  readonly isShared: () => boolean;
  readonly metrics: ChunkMetrics & LookupMetrics & { streamsOpen(count: number): void };
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** What the media endpoints of all platforms share: the chunks in memory, the limit of streams, and the tenants' quotas. */
export interface SharedMedia extends Pick<MediaOptions, "chunks" | "bytes" | "metrics" | "now"> {
  readonly loader: ChunkLoader;
  readonly inFlight: InFlightLimit;
}

/** A stream may hold two chunks, so 400 streams hold 400 MiB. */
const defaultStreamLimits: InFlightLimits = { total: 400, perSession: 16 };

export function openMedia({
  chunks,
  local,
  bytes,
  memoryBytes,
  streams,
  streamLimits,
  isShared,
  metrics,
  log,
  now,
}: MediaOptions): SharedMedia {
  const clock = now === undefined ? {} : { now };
  const inFlight = new InFlightLimit({
    limits: streamLimits ?? { ...defaultStreamLimits, total: streams ?? defaultStreamLimits.total },
    refusal: serverBusy,
    isShared,
    onChange: (open) => metrics.streamsOpen(open),
  });
  return {
    chunks,
    bytes,
    metrics,
    inFlight,
    loader: new ChunkLoader({ store: chunks, local, metrics, log, memoryBytes, ...clock }),
    ...clock,
  };
}
