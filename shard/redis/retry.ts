import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import { isRefusedWrite, redisTrouble } from "../../shared/flow/redis-trouble.js";
import { FencedError } from "../../shared/redis/script.js";

/**
 * Repeats an idempotent write, with pauses of 100 ms doubling to 1 s. Rejects with the last error when `signal` aborts or Redis still
 * refuses writes after `refusedMs`, and with `FencedError` at once.
 */
export async function retryUntil<T>(write: () => Promise<T>, signal: Ending, refusedMs = Number.POSITIVE_INFINITY): Promise<T> {
  const startedAt = performance.now();
  return repeated(write, (error) => !signal.aborted && !(isRefusedWrite(error) && performance.now() - startedAt >= refusedMs), signal);
}

/** Repeats an idempotent read or write while `holds` returns true, and only if Redis is the cause of the error. */
export async function retryWhile<T>(call: () => Promise<T>, holds: () => boolean): Promise<T> {
  return repeated(call, (error) => holds() && redisTrouble(error) !== undefined);
}

async function repeated<T>(call: () => Promise<T>, again: (error: unknown) => boolean, signal?: Ending): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof FencedError || !again(error)) throw error;
      await pause(pauseMs, ...(signal === undefined ? [] : [signal]));
    }
  }
}
