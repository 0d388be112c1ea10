import { ApiError } from "../../shared/contract/api-error.js";
import { pause } from "../../shared/flow/pause.js";
import type { LoadChunk } from "./chunk-stream.js";

/** All waits of one stream together, the failed tries included. */
const streamWaitMs = 30_000;

/**
 * Loads a chunk of a running body again after the time that a 503 names, 30 s in total for each stream. The client cannot repeat a body that has begun.
 * The `first` chunk's error comes back at once: it still becomes a status.
 */
export function patientLoad(load: LoadChunk, first: number, waitMaxMs = streamWaitMs): LoadChunk {
  let leftMs = waitMaxMs;
  return async (chunk, signal) => {
    for (;;) {
      const startedAt = performance.now();
      try {
        return await load(chunk, signal);
      } catch (error) {
        if (chunk === first || !(error instanceof ApiError) || error.status !== 503) throw error;
        const waitMs = 1_000 * Math.max(1, error.retryAfterSeconds ?? 1);
        leftMs -= performance.now() - startedAt + waitMs;
        if (leftMs < 0) throw error;
        await pause(waitMs, signal);
        signal.throwIfAborted();
      }
    }
  };
}
