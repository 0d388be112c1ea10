import { setTimeout as sleep } from "node:timers/promises";
import { FencedError } from "../redis/script.js";

/**
 * Repeats an idempotent write while Redis is away for some seconds, with pauses of 100 ms doubling to 1 s. Rejects with the last error when `signal` ends it,
 * with `FencedError` at once.
 */
export async function insist<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof FencedError || signal.aborted) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
