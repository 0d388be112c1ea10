import type { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { ReadChunkInput, ReadChunkOutput } from "../../shared/contract/media.js";

/** Source of media bytes: one platform's shards. The platform's folder defines the commands. */
export interface MediaSource {
  /** Makes the session's shard put a chunk into the cache Redis. `requestId` names the first of all waiting requests. */
  readChunk(session: SessionId, chunk: ReadChunkInput, signal: AbortSignal, requestId: string): Promise<ReadChunkOutput>;
  /** Creates the error for a chunk that did not come, in the words of the platform's document. */
  timeout(): ApiError;
}
