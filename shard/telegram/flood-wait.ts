import { FloodTestPhoneWaitError, FloodWaitError } from "telegram/errors/index.js";
import { pause } from "../../shared/flow/pause.js";
import { isPlatformTrouble, troublePauseMs } from "./platform-trouble.js";

/** Variant B: "Waits under one minute are waited out automatically. Longer ones come back as an error". */
const longestWaitSeconds = 59;
/** What GramJS itself allows. */
const floodsMax = 5;

export interface RetryOptions {
  /** The end of the call's time, by `performance.now()`. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  /** False: the call is not repeated after the platform's own trouble. */
  readonly repeatable?: boolean;
  /** False: a wait that the platform asks for comes back at once, however short. */
  readonly patient?: boolean;
  readonly onFlood?: ((seconds: number, isWaitedOut: boolean) => void) | undefined;
  /** Called before a call is repeated after trouble, with the milliseconds since its first try. */
  readonly onTrouble?: ((sinceMs: number) => void) | undefined;
}

/**
 * Runs a call again after a short flood wait and after the platform's own trouble, as long as the next try begins before `deadlineAt`. After that the
 * platform's error comes back. A flood wait is a refusal, so the repeat is safe for sends too.
 */
export async function waitingOutFloods<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { deadlineAt, signal, repeatable = true, patient = true, onFlood, onTrouble } = options;
  const startedAt = performance.now();
  let floods = 0;
  let troubles = 0;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const seconds = patient ? floodSeconds(error) : undefined;
      const isTrouble = repeatable && isPlatformTrouble(error);
      if (seconds === undefined && !isTrouble) throw error;
      const waitMs = seconds === undefined ? troublePauseMs(troubles++) : seconds * 1_000;
      // After trouble, a try with hardly any time left would only hide the platform's error behind a timeout.
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

/** Seconds that the platform asks to wait, when the error is such a request. */
export function floodSeconds(error: unknown): number | undefined {
  return error instanceof FloodWaitError || error instanceof FloodTestPhoneWaitError ? error.seconds : undefined;
}
