import { RPCError } from "telegram/errors/index.js";
import { errorName } from "./errors.js";

/** Returns true for a failure of the platform's own servers, after which the same call may succeed. */
export function isPlatformTrouble(error: unknown): boolean {
  const name = errorName(error);
  if (!(error instanceof RPCError) || name === undefined || name === "RANDOM_ID_DUPLICATE") return false;
  const code = Math.abs(error.code ?? 0);
  return (code >= 500 && code < 600) || troubleNames.test(name);
}

/** Returns the milliseconds before the next try: half a second, doubled after each failure up to 4 s, minus a random part. */
export function troublePauseMs(failuresBefore: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** failuresBefore) * (0.5 + Math.random() / 2);
}

const firstPauseMs = 500;
const longestPauseMs = 4_000;

/** The platform sends these with code 400 as well. */
const troubleNames =
  /^(RPC_CALL_FAIL|RPC_MCGET_FAIL|INTERDC_\d+_CALL(_RICH)?_ERROR|MSG_WAIT_(FAILED|TIMEOUT)|WORKER_BUSY_TOO_LONG_RETRY|Timeout)$/;
