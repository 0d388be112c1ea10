import { FloodTestPhoneWaitError, FloodWaitError } from "telegram/errors/index.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import { isPlatformTrouble, troublePauseMs } from "./platform-trouble.js";

/** Variant B: "Waits under one minute are waited out automatically. Longer ones come back as an error". */
const longestWaitSeconds = 59;
/** GramJS has the same limit. */
const floodsMax = 5;

export interface RetryOptions {
  /** Deadline of the call, by `performance.now()`. */
  readonly deadlineAt: number;
  readonly signal: Ending;
  /** False: the call is not retried after a fault of the platform's servers. */
  readonly repeatable?: boolean;
  /** False: a flood wait is returned as an error at once, however short. */
  readonly waitOutFloods?: boolean;
  readonly onFlood?: ((seconds: number, isWaitedOut: boolean) => void) | undefined;
  /** Called before each retry after a fault, with the milliseconds since the first try. */
  readonly onTrouble?: ((sinceMs: number) => void) | undefined;
}

/**
 * Retries a call after short flood waits and platform faults while the next try can begin before `deadlineAt`, then throws the platform's
 * error. Safe for sends: a flood wait means that the call was refused.
 */
export async function waitingOutFloods<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { deadlineAt, signal, repeatable = true, waitOutFloods = true, onFlood, onTrouble } = options;
  const startedAt = performance.now();
  let floods = 0;
  let troubles = 0;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const seconds = waitOutFloods ? floodSeconds(error) : undefined;
      const isTrouble = repeatable && isPlatformTrouble(error);
      if (seconds === undefined && !isTrouble) throw error;
      const waitMs = seconds === undefined ? troublePauseMs(troubles++) : seconds * 1_000;
      // A retry with hardly any time left would only replace the platform's error with a timeout.
      const neededMs = seconds === undefined ? 2 * waitMs : waitMs;
      const isOver =
        performance.now() + neededMs >= deadlineAt || (seconds !== undefined && (seconds > longestWaitSeconds || ++floods === floodsMax));
      if (seconds !== undefined) onFlood?.(seconds, !isOver);
      if (isOver) throw error;
      await pause(waitMs, signal);
      signal.throwIfAborted();
      if (isTrouble) onTrouble?.(performance.now() - startedAt);
    }
  }
}

/** Returns the seconds of a flood wait; `undefined` for any other error. */
export function floodSeconds(error: unknown): number | undefined {
  return error instanceof FloodWaitError || error instanceof FloodTestPhoneWaitError ? error.seconds : undefined;
}
