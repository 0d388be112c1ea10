import { telegramIsOff } from "../../shared/contract/telegram/telegram-is-off.js";
import { proxyFaultIn } from "../egress/proxy-fault.js";
import type { ReportedEnd } from "../session/connection-end.js";
import { floodSeconds } from "./flood-wait.js";
import { errorName, isSignedOut } from "./errors.js";
import { ConnectionLost } from "./network/connection-error.js";
import type { DcAddress } from "./network/open-sender.js";
import { refusalOf } from "./refusal-kind.js";

/** The way in which a connection of a session ended. */
export type TelegramEnd = Failure | Migration;

export type Failure = Extract<ReportedEnd, { kind: "lost" | "signed-out" }>;

/** The account belongs to another data centre, where the token finishes the login. */
export interface Migration extends Extract<ReportedEnd, { kind: "migrate" }> {
  readonly home: DcAddress;
  readonly token: Buffer;
}

/** Returns the end of a connection that is not made, because this process has no application. */
export function withoutApp(): Failure {
  return { kind: "lost", established: false, waitMs: untilRestartMs, cause: undefined, fault: telegramIsOff };
}

/** Derives the end from the error that caused it. Without a login, a refused key is replaced and does not count as a logout. */
export function endOf(error: unknown, { established, hadLogin }: { established: boolean; hadLogin: boolean }): Failure {
  const proxy = proxyFaultIn(error);
  if (proxy !== undefined) return { kind: "lost", established, waitMs: 0, cause: proxy, fault: proxy.message };
  const cause = causeOf(error);
  const refused = refusalOf(cause);
  const refusal = refused === undefined || refused === "unauthorized" ? {} : { refusal: refused };
  if (!hadLogin || !isKeyRefused(error)) {
    const fault = refused === "outdated" ? outdated : faults.get(errorName(cause) ?? "");
    if (fault !== undefined) return { kind: "lost", established, waitMs: foreverWaitMs, cause, fault, ...refusal };
    return { kind: "lost", established, waitMs: (floodSeconds(cause) ?? 0) * 1000, cause, ...refusal };
  }
  const fault = errorName(cause) === "AUTH_KEY_DUPLICATED" ? { fault: "login was used from two places" } : {};
  return { kind: "signed-out", cause, ...fault, ...refusal };
}

const outdated = "the platform takes the layer of this client no longer";
/** Faults that only an operator can fix, with the text for the log. Retries do not help. */
const faults: ReadonlyMap<string, string> = new Map(
  ["API_ID_INVALID", "CONNECTION_API_ID_INVALID", "API_ID_PUBLISHED_FLOOD"].map((name) => [
    name,
    "the platform does not take TELEGRAM_API_ID",
  ]),
);
const foreverWaitMs = 10 * 60_000;
/** Settings are read once, so only a restart changes the outcome. */
const untilRestartMs = 24 * 3_600_000;

/** Returns true when the platform no longer accepts the connection's key or its login. */
export function isKeyRefused(error: unknown): boolean {
  return (error instanceof ConnectionLost && error.reason === "key-unknown") || isSignedOut(causeOf(error));
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectionLost && error.cause !== undefined ? error.cause : error;
}
