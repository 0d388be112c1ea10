import type { SessionId } from "../../shared/contract/ids.js";

/** Authenticated caller of a request. */
export interface Identity {
  /** Id of the caller's API key, or `session` for a session's own secret. */
  readonly who: string;
  /** Tenant that the request concerns; empty if it concerns none or all. */
  readonly tenant: string;
  /** Incarnation of that tenant (`TenantLife`). */
  readonly incarnation?: string;
  /** The key is valid, but may not make this request. */
  readonly refused?: true;
  /** Session that the request concerns. */
  readonly session?: SessionId;
  /** What an operator's call created, as the path behind `/admin/` names it. */
  readonly made?: string;
}
