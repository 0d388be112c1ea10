import { CliError, exitCodeOf, exitCodes } from "../exit-code.js";

/** The gateway's own error: its sentence, and the id under which its logs know the request. */
export class Refusal extends CliError {
  constructor(
    readonly status: number,
    readonly sentence: string,
    readonly requestId: string,
  ) {
    super(`${sentence} (${status}${requestId === "" ? "" : `, request ${requestId}`})`, exitCodeOf(status));
  }
}

/** Nobody answers at that address, or not in time. */
export class NoAnswer extends CliError {
  constructor(origin: string, reason: string, cause: unknown) {
    super(`no response from ${origin} (${reason})`, exitCodes.unreachable, { cause });
  }
}

/** A body of an answer that was not a success: `{statusCode, message}`, or whatever stands between us and a gateway. */
export function sentenceOf(body: string, statusText: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed && typeof parsed.message === "string") return parsed.message;
  } catch {
    // No JSON: a proxy's page.
  }
  return statusText === "" ? "not a Trunkline gateway" : statusText;
}

/** Why a request of `fetch` failed, in a word: the code of what lies below its "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "time-out";
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.message;
}
