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

/** A row as it is stored: the name of its tenant with the `incarnation` that it is of, which is not sent to callers. */
export interface StoredAuditRow extends AuditRow {
  readonly incarnation?: string | undefined;
}

/** What a row of failed attempts says that they did. */
export const failedAuthentication = "failed-authentication";
/** The same of a known key that asked for another tenant's session, or for what its role never may, where the call itself is not on record. */
export const refusedCall = "refused-call";
