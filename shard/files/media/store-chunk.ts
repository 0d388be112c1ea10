import type { ApiError } from "../../../shared/contract/api-error.js";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { ReadChunkOutput } from "../../../shared/contract/media.js";
import { mediaWaitMs } from "../../../shared/limits.js";
import { traced, type Tracing } from "../../../shared/process/trace/tracing.js";
import type { QuotaPort } from "../../tenant/session-quota.js";
import type { ChunkSource, WantedChunk } from "./chunk-source.js";

export interface ChunkServices {
  readonly chunkSource: ChunkSource;
  /** Limits how many media chunks and other downloads of a tenant run at once, over all shards. Absent: only the turns limit them. */
  readonly quota?: QuotaPort;
  /** Returns the tenant that owns a session. */
  readonly tenantOf: (session: SessionId) => string;
  /** Creates a span for each fetched chunk. */
  readonly tracing?: Tracing | undefined;
}

export interface ChunkRequest extends Pick<WantedChunk, "fileKey" | "chunk" | "length"> {
  readonly session: SessionId;
  readonly fetch: (signal: AbortSignal) => Promise<Buffer>;
  /** Creates the error for a tenant's quota that has no place in time. */
  readonly timeout: () => ApiError;
}

/** Brings one chunk into the chunk cache within the tenant's quota. The output holds only its length. */
export async function storeChunk(
  { chunkSource, quota, tenantOf, tracing }: ChunkServices,
  { session, fileKey, chunk, length: expected, fetch, timeout }: ChunkRequest,
  signal: AbortSignal,
): Promise<ReadChunkOutput> {
  const wanted = { tenant: tenantOf(session), session, fileKey, chunk, length: expected };
  const place = await quota?.enter(session, { signal, waitMs: mediaWaitMs });
  if (quota !== undefined && place === undefined) throw timeout();
  try {
    const length = await chunkSource.read(
      wanted,
      tracing === undefined
        ? fetch
        : (fetchSignal) => traced(tracing, { ...chunkSpan, attributes: { "gateway.chunk": chunk } }, () => fetch(fetchSignal)),
      signal,
    );
    return { length };
  } finally {
    place?.();
  }
}

/** If several readers wait for a chunk, the trace of the first one has this span. */
const chunkSpan = { name: "fetch chunk", kind: "client" } as const;
