import type { Instant } from "../../contract/plain-values.js";

/** One entry of the audit log. It contains no secrets, phone numbers or message texts. */
export interface AuditRow {
  /** Time of the event. */
  readonly at: Instant;
  /**
   * Id of the API key. `session`: a caller with the secret of a session. `local`: a local caller while no key is configured. `unknown`:
   * a failed attempt. `cluster`: an automatic action of a shard.
   */
  readonly who: string;
  /**
   * Action: the name of the call, such as `create-session`, or `failed-authentication`, `refused-call`, `take-over` or
   * `expire-session`.
   */
  readonly what: string;
  /**
   * Target of an operator's call: the path after `/admin/`, or the created object, such as `tenants/acme`. Failed calls have a target
   * only if it is a well-formed id or name. For `cluster`: the shard that died, or why a session was deleted.
   */
  readonly target: string;
  /** Tenant of the session, key or quotas that changed, else of the caller's key. Empty if the entry concerns no tenant, or all. */
  readonly tenant: string;
  /** Id of the session. Empty if the entry concerns no session. */
  readonly session: string;
  /** Address of the caller (IPv6: the first 64 bits). For `cluster`: the shard that acted. */
  readonly from: string;
  /** `x-request-id` of the response. Empty if the entry is not about one request. */
  readonly requestId: string;
  /** HTTP status of the response. 0 if the caller disconnected first. 200 for `cluster`. */
  readonly status: number;
  /**
   * Number of requests. Repeated reads and failures of a key within a minute share one entry after the first. For takeovers: the number
   * of slots.
   */
  readonly count: number;
  /** For takeovers: the number of sessions in the slots. */
  readonly sessions?: number;
}

/** The stored form of an entry. The tenant's `incarnation` is not sent to clients. */
export interface StoredAuditRow extends AuditRow {
  readonly incarnation?: string | undefined;
}

/** `what` of an entry for failed authentication attempts. */
export const failedAuthentication = "failed-authentication";
/**
 * `what` of an entry for a valid key that requested another tenant's session or a call that its role forbids, if the call itself is not
 * audited.
 */
export const refusedCall = "refused-call";
