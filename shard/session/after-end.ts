import type { Log } from "../../shared/log/logger.js";
import { ProxyFault } from "../egress/proxy-fault.js";
import type { Backoff } from "../flow/backoff.js";
import type { ConnectionEnd } from "./connection-end.js";

/** What a session does between a connection's end and the next connection. */
export interface AfterEnd {
  /** The account is to be forgotten, and the next login begins. */
  readonly signedOut: boolean;
  /** What readers see of the connection, or of its codes, is no longer true. */
  readonly lost: boolean;
  readonly waitMs: number;
}

/**
 * Most restarts in a row without a pause: a login needs one, and a server that keeps demanding restarts must not be obeyed at full speed.
 */
const restartsMax = 3;

/** `restarts`: connections in a row that ended in `restart`, this one included. */
export function afterEnd(end: ConnectionEnd, backoff: Backoff, restarts: number): AfterEnd {
  switch (end.kind) {
    case "lost":
      return { signedOut: false, lost: true, waitMs: Math.max(backoff.afterFailure(end.established), spread(end.waitMs)) };
    case "restart":
      return { signedOut: false, lost: true, waitMs: restarts > restartsMax ? backoff.pauseMs(restarts - restartsMax) : 0 };
    case "codes-ended":
    case "reconnect":
      return { signedOut: false, lost: true, waitMs: 0 };
    case "migrate":
    case "reset":
      return { signedOut: false, lost: false, waitMs: 0 };
    case "signed-out":
      return { signedOut: true, lost: false, waitMs: 0 };
    default:
      return end satisfies never;
  }
}

/** Spreads waits: a platform's demand mostly reaches all sessions at once. No wait becomes shorter. */
function spread(waitMs: number): number {
  return waitMs * (1 + Math.random() * spreadShare);
}

const spreadShare = 0.1;

/** Logs an end that is not part of a session's plan. */
export function report(end: ConnectionEnd, log: Log): void {
  if (end.kind !== "lost" && end.kind !== "signed-out") return;
  if (end.cause instanceof ProxyFault) {
    // A tenant named it: no fault of ours, and its stack says nothing.
    const { kind: fault, code } = end.cause;
    log.warn({ fault, ...(code === undefined ? {} : { code }) }, "proxy connection failed");
  } else if (end.fault !== undefined) log.error({ err: end.cause, fault: end.fault }, messages[end.kind]);
  else if (end.kind === "lost") log.warn({ err: end.cause }, messages.lost);
  else log.info({ err: end.cause }, messages["signed-out"]);
}

const messages = { lost: "connection lost", "signed-out": "session logged out by the platform" };

/** Returns such an end in a few words for the record; `undefined` for a planned one. Contains no platform text except a code's name. */
export function faultOf(end: ConnectionEnd): string | undefined {
  if (end.kind !== "lost" && end.kind !== "signed-out") return undefined;
  const code = codeOf(end.cause);
  return `${end.fault ?? faultTexts[end.kind]}${code === undefined ? "" : ` (${code})`}`;
}

const faultTexts = { lost: "connection lost", "signed-out": "login was ended by the platform" };

/** Such as `ECONNRESET`, or `AUTH_KEY_UNREGISTERED`. */
function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  const named = ["code" in cause ? cause.code : undefined, "errorMessage" in cause ? cause.errorMessage : undefined];
  return named.find((code): code is string => typeof code === "string" && /^[A-Z][A-Z_]{2,39}$/.test(code));
}
