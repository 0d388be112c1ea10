import type { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { ReadChunkInput, ReadChunkOutput } from "../../shared/contract/media.js";

/** Where the bytes of media come from: its platform's shards. The platform's folder says how they are asked. */
export interface MediaSource {
  /** Has the session's shard bring a chunk into the cache Redis. Of all who wait for it the first one is named by `requestId`. */
  readChunk(session: SessionId, chunk: ReadChunkInput, signal: AbortSignal, requestId: string): Promise<ReadChunkOutput>;
}

/** What a caller reads, in the words of the platform's document. */
export interface MediaErrors {
  rangeNotSatisfiable(): ApiError;
  mediaTimeout(): ApiError;
}
