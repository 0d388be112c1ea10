import { CliError, exitCodeOf, exitCodes } from "../exit-code.js";

/** Error response of the gateway: its sentence, and the request id that appears in its logs. */
export class Refusal extends CliError {
  constructor(
    readonly status: number,
    readonly sentence: string,
    readonly requestId: string,
  ) {
    super(`${sentence} (${status}${requestId === "" ? "" : `, request ${requestId}`})`, exitCodeOf(status));
  }
}

/** The gateway did not respond, or not in time. */
export class NoResponse extends CliError {
  constructor(origin: string, reason: string, cause: unknown) {
    super(`no response from ${origin} (${reason})`, exitCodes.unreachable, { cause });
  }
}

/** Returns the message of an error body `{statusCode, message}`, or a fallback for the body of a proxy in between. */
export function sentenceOf(body: string, statusText: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed && typeof parsed.message === "string") return parsed.message;
  } catch {
    // Not JSON, such as a proxy's page.
  }
  return statusText === "" ? "not a Trunkline gateway" : statusText;
}

/** Returns a short reason why `fetch` failed: the code of the cause behind "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "time-out";
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.message;
}
