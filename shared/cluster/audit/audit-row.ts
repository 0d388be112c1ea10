import type { Instant } from "../../contract/plain-values.js";

/** One row of the record of who did what. No secret, no phone number and no text of a caller is in it. */
export interface AuditRow {
  /** When. */
  readonly at: Instant;
  /**
   * Id of the API key; else `session` (a session's own secret), `local` (this machine, no key
   * configured), `unknown` (failed attempt) or `cluster` (a shard acting by itself).
   */
  readonly who: string;
  /** Name of the call, such as `create-session`; or `failed-authentication`, `refused-call`, `take-over`, `expire-session`. */
  readonly what: string;
  /**
   * What the call acted on: the path behind `/admin/`, or the created object. A failed call keeps
   * only a well-formed name. For shards: the dead member, or the reason of a deletion.
   */
  readonly target: string;
  /**
   * Tenant of the session, key or quotas that changed, else of the caller's key; empty if the row
   * concerns no tenant or all tenants.
   */
  readonly tenant: string;
  /** Id of the session; empty where it concerns none. */
  readonly session: string;
  /** Address, of IPv6 the first 64 bits; of what shards do by themselves the member that did it. */
  readonly from: string;
  /** The `x-request-id` of the response; empty if the row does not belong to a single request. */
  readonly requestId: string;
  /** HTTP status of the response; 0 if the caller disconnected first; 200 for actions of shards. */
  readonly status: number;
  /**
   * Number of requests in the row: repeated reads and failures of a key within a minute share one
   * row. In a takeover, the number of slots.
   */
  readonly count: number;
  /** Number of sessions that moved with the slots of a takeover. */
  readonly sessions?: number;
}

/** A row as it is stored: the name of its tenant with the `incarnation` that it is of, which is not sent to callers. */
export interface StoredAuditRow extends AuditRow {
  readonly incarnation?: string | undefined;
}

/** What a row of failed attempts says that they did. */
export const failedAuthentication = "failed-authentication";
/** A known key requested another tenant's session or a call that its role forbids, and the call itself is not audited. */
export const refusedCall = "refused-call";
