import { isRefusedWrite, redisTrouble } from "../../shared/flow/redis-trouble.js";
import { FencedError } from "../../shared/redis/script.js";
import { pause, type Machine, type Signal, type Steps, type Wait } from "./machine.js";

/** Models `retryUntil` of `shard/redis/retry.ts` as steps. */
export function* retryUntil<T>(machine: Machine, write: () => Wait, signal: Signal, refusedMs = Number.POSITIVE_INFINITY): Steps<T> {
  const startedAt = machine.now();
  const again = (error: unknown): boolean => !signal.aborted && !(isRefusedWrite(error) && machine.now() - startedAt >= refusedMs);
  return yield* repeated(machine, write, again, signal);
}

/** Models `retryWhile` of `shard/redis/retry.ts` as steps. */
export function* retryWhile<T>(machine: Machine, call: () => Wait, holds: () => boolean): Steps<T> {
  return yield* repeated(machine, call, (error) => holds() && redisTrouble(error) !== undefined);
}

/** Resolves with the response of Redis. */
export function* answerTo<T>(asking: Wait): Steps<T> {
  return (yield asking) as T;
}

function* repeated<T>(machine: Machine, call: () => Wait, again: (error: unknown) => boolean, signal?: Signal): Steps<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      return yield* answerTo<T>(call());
    } catch (error) {
      if (error instanceof FencedError || !again(error)) throw error;
      yield* pause(machine, pauseMs, ...(signal === undefined ? [] : [signal]));
    }
  }
}
