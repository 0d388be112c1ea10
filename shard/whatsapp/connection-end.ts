import { proxyFaultIn } from "../egress/proxy-fault.js";
import type { ReportedEnd } from "../session/connection-end.js";
import { closeCode } from "./errors.js";
import { CodesEnded, ConnectionLost } from "./network/connection-error.js";
import { refusedConnection } from "./refusal-kind.js";
import { certificateFaults } from "./network/server-certificate.js";

export interface Ended {
  /** True when the connection was up for a while. */
  readonly established: boolean;
  readonly hadLogin: boolean;
  /** True when the platform refused the client's version and a newer one is known. */
  readonly hasNewer?: boolean;
}

/**
 * Returns how a connection ended, from the error that caused it. Without a login the end is never a sign-out: a refused registration
 * starts again.
 */
export function endOf(error: unknown, { established, hadLogin, hasNewer = false }: Ended): ReportedEnd {
  const cause = causeOf(error);
  const proxy = proxyFaultIn(cause);
  if (proxy !== undefined) return { kind: "lost", established, waitMs: 0, cause: proxy, fault: proxy.message };
  const code = closeCode(cause);
  if (code === restartCode) return { kind: "restart" };
  if (cause instanceof CodesEnded) return { kind: "codes-ended" };
  const refused = refusedConnection(code);
  const refusal = refused === undefined ? {} : { refusal: refused };
  if (hadLogin && code !== undefined && signedOutCodes.has(code)) return { kind: "signed-out", cause, ...refusal };
  const fault = (cause instanceof Error ? forgeries.get(cause.message) : undefined) ?? (code === undefined ? undefined : faults.get(code));
  return {
    kind: "lost",
    established,
    waitMs: hasNewer ? 0 : waitOf(code, cause),
    cause,
    ...(fault === undefined ? {} : { fault }),
    ...refusal,
  };
}

/** True when the platform refused this client version (405). */
export function isVersionRefused(error: unknown): boolean {
  return closeCode(causeOf(error)) === outdatedCode;
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectionLost && error.cause !== undefined ? error.cause : error;
}

const restartCode = 515;
const outdatedCode = 405;
/** Unlinked (401), account locked or banned (403, 406), multi-device switched off (411). */
const signedOutCodes: ReadonlySet<number> = new Set([401, 403, 406, 411]);
/** Only a newer client version helps against a refused one, so retries are slow. */
const outdatedWaitMs = 10 * 60_000;
const banWaitMaxMs = 24 * 3_600_000;

function waitOf(code: number | undefined, cause: unknown): number {
  if (code === outdatedCode) return outdatedWaitMs;
  return code === 402 ? banMs(cause) : 0;
}

/** Returns the length of a temporary ban in milliseconds; the platform gives it in seconds. */
function banMs(cause: unknown): number {
  const attrs: unknown = Reflect.get(Object(cause), "data");
  const seconds = Number(Reflect.get(Object(attrs), "expire"));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, banWaitMaxMs) : outdatedWaitMs;
}

/** Losses that need an operator's attention. */
const faults: ReadonlyMap<number, string> = new Map([
  [440, "login was used from two places"],
  [outdatedCode, "the platform takes this version of the client no longer"],
  [402, "the account is banned for a while"],
]);

/**
 * The messages of the library and of this adapter for invalid certificates and signatures. The cause is an interception, or a wrong root
 * key.
 */
const forgeries: ReadonlyMap<string, string> = new Map([
  ["noise certificate signature invalid", "the server's certificate is forged"],
  ["noise intermediate certificate signature invalid", "the server's certificate is not the platform's"],
  ...Object.values(certificateFaults).map((fault) => [fault, fault] as const),
  ["Invalid account signature", "the link is not of the phone that took the code"],
  ["Failed to verify account signature", "the link is not signed by the account"],
]);
