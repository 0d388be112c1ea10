import type { ApiError } from "../../shared/contract/api-error.js";
import { serverBusy } from "../../shared/contract/errors.js";
import type { Outcome } from "../../shared/bus/envelope.js";

export type ErrorOutcome = Extract<Outcome, { kind: "error" }>;

export function toOutcome({ status, message, retryAfterSeconds }: ApiError): ErrorOutcome {
  return retryAfterSeconds === undefined ? { kind: "error", status, message } : { kind: "error", status, message, retryAfterSeconds };
}

/** Returns the outcome of a command that the load of its session or tenant has kept from beginning. */
export function refused(): Outcome {
  return { ...toOutcome(serverBusy()), refused: true };
}

/** Returns the outcome of a command whose slot has another owner, or is about to. */
export function moved({ begun, unrecorded = false }: { begun: boolean; unrecorded?: boolean }): Outcome {
  if (!begun) return { kind: "moved" };
  return unrecorded ? { kind: "moved", begun, unrecorded } : { kind: "moved", begun };
}
