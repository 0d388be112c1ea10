import { pause } from "../../../shared/flow/pause.js";
import type { Ending } from "../../../shared/flow/ending.js";

/**
 * Pauses in milliseconds before each retry after a transient error: 7.75 s in all, some seconds more than a restart of the platform's
 * servers takes.
 */
const pausesMs: readonly number[] = [250, 500, 1_000, 2_000, 4_000];

/** True for response, ack and media host codes that do not depend on the request itself. */
export function isTransient(code: number): boolean {
  return code >= 500 && code < 600;
}

/**
 * Retries while `again` accepts the error, with growing pauses. If a signal aborts, the last retry runs at once. Rejects with the last
 * error.
 */
export async function retrying<T>(call: () => Promise<T>, again: (error: unknown) => boolean, ...signals: readonly Ending[]): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await call();
    } catch (error) {
      if (!again(error)) throw error;
      await pause(pauseMs * (0.75 + Math.random() / 2), ...signals);
      if (signals.some(({ aborted }) => aborted)) break;
    }
  }
  return call();
}
