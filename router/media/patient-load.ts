import { ApiError } from "../../shared/contract/api-error.js";
import { sessionNotConnected } from "../../shared/contract/errors.js";
import { pause } from "../../shared/flow/pause.js";
import type { LoadChunk } from "./chunk-stream.js";

export interface PatientLoadOptions {
  /** Chunk whose error comes back at once: it still becomes a status. */
  readonly first: number;
  /** Rejects when no next connection will come, because the session has no login any more. */
  readonly requireLogin: () => Promise<unknown>;
  /** All waits of one stream together, the failed tries included. */
  readonly waitMaxMs?: number;
}

const streamWaitMs = 30_000;

/**
 * Loads a chunk of a running body again after the time that a 503 names, and while its session is between two connections, 30 s in total for each stream.
 * The client cannot repeat a body that has begun.
 */
export function patientLoad(load: LoadChunk, { first, requireLogin, waitMaxMs = streamWaitMs }: PatientLoadOptions): LoadChunk {
  let leftMs = waitMaxMs;
  return async (chunk, signal) => {
    for (;;) {
      const startedAt = performance.now();
      try {
        return await load(chunk, signal);
      } catch (error) {
        if (chunk === first || !(error instanceof ApiError)) throw error;
        const isBetweenConnections = error.message === sessionNotConnected().message;
        if (error.status !== 503 && !isBetweenConnections) throw error;
        if (isBetweenConnections) await requireLogin();
        const waitMs = 1_000 * Math.max(1, error.retryAfterSeconds ?? 1);
        leftMs -= performance.now() - startedAt + waitMs;
        if (leftMs < 0) throw error;
        await pause(waitMs, signal);
        signal.throwIfAborted();
      }
    }
  };
}
