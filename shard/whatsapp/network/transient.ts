import { pause } from "../../../shared/flow/pause.js";
import type { Ending } from "../../../shared/flow/ending.js";

/** Pauses before each retry of what the platform's servers refused for a moment, milliseconds: 7.75 s in all, some seconds more than a restart of theirs. */
const pausesMs: readonly number[] = [250, 500, 1_000, 2_000, 4_000];

/** True for the codes of an answer, an ack or a media host that say nothing of the request itself. */
export function isTransient(code: number): boolean {
  return code >= 500 && code < 600;
}

/** Calls again while `again` accepts the error, with growing pauses, and once more at once when a signal aborts. Rejects with the last error. */
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
