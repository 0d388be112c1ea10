import type { CommandClass } from "../../shared/contract/command-row.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { RefusalKind } from "../../shared/contract/refusal-kind.js";

export { refusalKinds, type RefusalKind } from "../../shared/contract/refusal-kind.js";

/** Class of the refused command, or `connect` for a connection. */
export type RefusalClass = CommandClass | "connect";

export interface Refusal {
  readonly platform: Platform;
  readonly session: string;
  readonly kind: RefusalKind;
  readonly class: RefusalClass;
  /** The caller's error, or what a connection ended with. */
  readonly message: string;
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
