import type { LocalChunks } from "../../../shared/media/local-chunks.js";
import type { ChunkStore } from "./chunk-source.js";

/** Returns the store with each new chunk offered to the router of this process, if there is one. */
export function offeredChunks(store: ChunkStore, local: Pick<LocalChunks, "offer"> | undefined): ChunkStore {
  if (local === undefined) return store;
  return {
    length: (fileKey, chunk) => store.length(fileKey, chunk),
    put: (fileKey, chunk, bytes) => {
      local.offer(fileKey, chunk, bytes);
      return store.put(fileKey, chunk, bytes);
    },
  };
}
