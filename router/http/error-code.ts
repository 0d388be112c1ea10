import * as errors from "../../shared/contract/errors.js";

/** All values of `x-error-code`. */
export const errorCodes = [
  "invalid-request",
  "invalid-key",
  "not-allowed",
  "not-found",
  "wrong-method",
  "too-slow",
  "conflict",
  "too-large",
  "range-not-satisfiable",
  "idempotency-key-reused",
  "too-many-requests",
  "account-restricted",
  "session-not-connected",
  "session-not-ready",
  "platform-refused",
  "platform-wait",
  "platform-silent",
  "file-not-usable",
  "no-status-audience",
  "send-timeout",
  "internal",
  "busy",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Returns the headers by which programs distinguish errors: most platform errors have status 500. `x-error-code` has our code,
 * `x-platform-error` the code of a platform that rejected the call.
 */
export function errorHeaders(status: number, message: string): ErrorHeaders {
  const refusal = status === 500 ? platformError(message) : undefined;
  const code: ErrorCode = refusal === undefined ? errorCode(status, message) : "platform-refused";
  return refusal === undefined ? { "x-error-code": code } : { "x-error-code": code, "x-platform-error": refusal };
}

interface ErrorHeaders extends Readonly<Record<string, string>> {
  readonly "x-error-code": ErrorCode;
}

function errorCode(status: number, message: string): ErrorCode {
  if (status === restricted.status && message === restricted.message) return "account-restricted";
  if (status !== 500 && status !== 503) return byStatus.get(status) ?? "invalid-request";
  const exact = bySentence.get(message);
  if (exact !== undefined) return exact;
  const fitting = patterns.find(([pattern]) => pattern.test(message));
  if (fitting !== undefined) return fitting[1];
  // Every other 500 carries the platform's own words for a rejection.
  return status === 503 ? "busy" : "platform-refused";
}

/** Returns the name or number at the start of a platform's rejection: Telegram's error name, or WhatsApp's number or its name. */
function platformError(message: string): string | undefined {
  const [, number, name] = /^(-?\d{1,3}): ([A-Z][A-Z0-9_]+(?= \(caused by |$))?/.exec(message) ?? [];
  return name ?? number;
}

const byStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "invalid-request"],
  [401, "invalid-key"],
  [403, "not-allowed"],
  [404, "not-found"],
  [405, "wrong-method"],
  [408, "too-slow"],
  [409, "conflict"],
  [413, "too-large"],
  [416, "range-not-satisfiable"],
  [422, "idempotency-key-reused"],
  [429, "too-many-requests"],
]);

const restricted = errors.accountRestricted(0);

const bySentence: ReadonlyMap<string, ErrorCode> = new Map([
  [errors.internal().message, "internal"],
  [errors.sessionNotConnected().message, "session-not-connected"],
  [errors.sessionNotActive().message, "session-not-ready"],
  [errors.sendTimeout().message, "send-timeout"],
]);

/** Messages that end with a detail, or that only one platform uses. */
const patterns: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^error (parser file from url|compress image)/, "file-not-usable"],
  [/^(channel|group|message) not found$/, "not-found"],
  [/^(contacts not synced|status privacy )/, "no-status-audience"],
  [/^(\w+ asked to wait \d|A wait of \d)/, "platform-wait"],
  [/^\w+ did not answer the media request in time$/, "platform-silent"],
];
