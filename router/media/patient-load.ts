import { ApiError } from "../../shared/contract/api-error.js";
import { sessionNotConnected } from "../../shared/contract/errors.js";
import { pause } from "../../shared/flow/pause.js";
import type { LoadChunk } from "./chunk-stream.js";

export interface PatientLoadOptions {
  /** First chunk of the stream. Its error is returned at once, because it can still become a status. */
  readonly first: number;
  /** Rejects if the session has lost its login, so that no connection will follow. */
  readonly requireLogin: () => Promise<unknown>;
  /** Longest total wait of one stream, failed tries included. */
  readonly waitMaxMs?: number;
}

const streamWaitMs = 30_000;

/**
 * Retries chunks of a body that has begun, after a 503 or while the session reconnects, for 30 s in total per stream. The client cannot
 * repeat such a body.
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
