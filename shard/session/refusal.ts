import type { CommandClass } from "../../shared/contract/command-row.js";
import type { Platform } from "../../shared/contract/platform.js";

/** What a platform means by a refusal, by its codes and names. */
export const refusalKinds = [
  /** Too many requests: wait. */
  "flood",
  /** The chat accepts one message per interval. */
  "slow-mode",
  /** The account may not write to people who do not know it. */
  "restricted",
  /** A number that the platform limits is reached. */
  "limit",
  "banned",
  /** The platform no longer accepts this version of the client. */
  "outdated",
  "unauthorized",
  "forbidden",
  "not-accepted",
  "not-found",
  "not-allowed",
  "conflict",
  "bad-request",
  "unavailable",
  "other",
] as const;
export type RefusalKind = (typeof refusalKinds)[number];

/** Class of the refused command, or `connect` for a connection. */
export type RefusalClass = CommandClass | "connect";

export interface Refusal {
  readonly platform: Platform;
  readonly session: string;
  readonly kind: RefusalKind;
  readonly class: RefusalClass;
}

/** Refusals that demand less activity of an account, or may cost it. */
export const strains: ReadonlySet<RefusalKind> = new Set<RefusalKind>(["flood", "slow-mode", "restricted", "limit", "banned"]);

/** Returns the platform's own error behind the caller's error. */
export function reasonOf(error: unknown): unknown {
  let reason = error;
  for (let depth = 0; depth < depthMax && reason instanceof Error && reason.name === "ApiError" && reason.cause !== undefined; depth += 1)
    reason = reason.cause;
  return reason;
}

const depthMax = 5;
