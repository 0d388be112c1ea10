import { FloodTestPhoneWaitError, FloodWaitError, RPCError } from "telegram/errors/index.js";
import { pause } from "../../shared/flow/pause.js";

/** Variant B: "Waits under one minute are waited out automatically. Longer ones come back as an error". */
const longestWaitSeconds = 59;
/** What GramJS itself allows. */
const attemptsMax = 5;
const internalTroubleMs = 2_000;

/**
 * Runs a call again after a short flood wait, as long as the wait ends before `deadlineAt` (performance.now()); otherwise its error comes back.
 * A flood wait is a refusal, so this is safe for sends too. `repeatable` calls are also repeated when the platform reports trouble of its own.
 */
export async function waitingOutFloods<T>(
  run: () => Promise<T>,
  repeatable: boolean,
  deadlineAt: number,
  signal: AbortSignal,
  onFlood: (seconds: number, isWaitedOut: boolean) => void = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const waitMs = waitOf(error, repeatable);
      const isOver = waitMs === undefined || attempt === attemptsMax || performance.now() + waitMs >= deadlineAt;
      const seconds = floodSeconds(error);
      if (seconds !== undefined) onFlood(seconds, !isOver);
      if (isOver) throw error;
      await pause(waitMs, signal);
      signal.throwIfAborted();
    }
  }
}

/** Seconds that the platform asks to wait, when the error is such a request. */
export function floodSeconds(error: unknown): number | undefined {
  return error instanceof FloodWaitError || error instanceof FloodTestPhoneWaitError ? error.seconds : undefined;
}

function waitOf(error: unknown, repeatable: boolean): number | undefined {
  const seconds = floodSeconds(error);
  if (seconds !== undefined) return seconds <= longestWaitSeconds ? seconds * 1000 : undefined;
  const internal = error instanceof RPCError && (error.errorMessage === "RPC_CALL_FAIL" || error.errorMessage === "RPC_MCGET_FAIL");
  return repeatable && internal ? internalTroubleMs : undefined;
}
