import { proxyFaultIn } from "../egress/proxy-fault.js";
import type { ToldEnd } from "../session/connection-end.js";
import { floodSeconds } from "./flood-wait.js";
import { errorName, isSignedOut } from "./errors.js";
import { ConnectionLost } from "./network/connection-error.js";
import type { DcAddress } from "./network/open-sender.js";

/** How one connection of a session ended. */
export type End = Failure | Migration;

export type Failure = Extract<ToldEnd, { kind: "lost" | "signed-out" }>;

/** The account lives at another data centre, where the token finishes the login. */
export interface Migration extends Extract<ToldEnd, { kind: "migrate" }> {
  readonly home: DcAddress;
  readonly token: Buffer;
}

/** Reads the end from the error that caused it. Without a login nothing can be signed out: a refused key is made anew. */
export function endOf(error: unknown, { established, hadLogin }: { established: boolean; hadLogin: boolean }): Failure {
  const proxy = proxyFaultIn(error);
  if (proxy !== undefined) return { kind: "lost", established, waitMs: 0, cause: proxy, fault: proxy.message };
  const cause = causeOf(error);
  if (!hadLogin || !isKeyRefused(error)) return { kind: "lost", established, waitMs: (floodSeconds(cause) ?? 0) * 1000, cause };
  const fault = errorName(cause) === "AUTH_KEY_DUPLICATED" ? { fault: "login was used from two places" } : {};
  return { kind: "signed-out", cause, ...fault };
}

/** The platform does not take the connection's key, or its login, any more. */
export function isKeyRefused(error: unknown): boolean {
  return (error instanceof ConnectionLost && error.reason === "key-unknown") || isSignedOut(causeOf(error));
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectionLost && error.cause !== undefined ? error.cause : error;
}
