import type { SessionState } from "../../../../shared/session/state.js";
import type { RefusalKind } from "../../../../shared/contract/refusal-kind.js";
import type { Platform } from "../../../../shared/contract/platform.js";

export type { Platform };
export const keyRoles = ["admin", "tenant", "create", "read"] as const;
export type KeyRole = (typeof keyRoles)[number];
export const roleNames: Readonly<Record<KeyRole, string>> = { admin: "Admin", tenant: "Tenant", create: "Create only", read: "Read only" };

/** Actions in `may` of `GET /admin/self`. */
export type Action = "read-self" | "create-session" | "use-session" | "read-session" | "operate-session" | "read-members" | "administer";

export type StateName = Exclude<SessionState["kind"], "deleted">;

/** `GET /admin/sessions`. */
export interface SessionRow {
  readonly id: string;
  readonly tenant: string;
  readonly platform: Platform;
  readonly state: StateName;
  readonly since: string;
  readonly member: string;
  readonly slot: number;
  readonly name: string;
  readonly phone: string;
  readonly label: string;
  readonly lastError: string;
  readonly webhookLag: number;
  /** When the platform's restriction of the account ends; empty without one. */
  readonly restrictedUntil: string;
  /** Only in the response for a single session. */
  readonly proxy?: ProxyInUse;
  /** Only in the response for a single session. */
  readonly health?: AccountHealth;
}

/** How the platform treats the account. */
export interface AccountHealth {
  readonly reason: string;
  readonly counts: readonly { readonly kind: RefusalKind; readonly count: number }[];
  /** The newest first. */
  readonly refusals: readonly { readonly kind: RefusalKind; readonly message: string; readonly at: string }[];
}

/** Without the proxy's login. */
export interface ProxyInUse {
  readonly of: "session" | "key" | "tenant" | "none";
  readonly address: string;
}

/** One page of any list. */
export interface Page<Row> {
  readonly docs: readonly Row[];
  /** Position of the next page; empty after the last one. */
  readonly next: string;
}
