import type { Instant } from "../../contract/plain-values.js";

/** One row of the record of who did what. No secret, no phone number and no text of a caller is in it. */
export interface AuditRow {
  /** When. */
  readonly at: Instant;
  /**
   * Id of the api key; `session` for a caller with a session's own secret, `local` for one of this machine where no key is configured; `unknown` of failed attempts;
   * `cluster` of what shards do by themselves.
   */
  readonly who: string;
  /** What was done: the name of the call, such as `create-session`; `failed-authentication`, `refused-call`, `take-over`, `expire-session`. */
  readonly what: string;
  /** What an operator's call named, as it stands in the path behind `/admin/`, or what it made, such as `tenants/acme`; of a call that failed only where it is a well-formed name of ours (a session's or key's id, a slot, the name of a tenant or member that is no number), else empty; of what shards do by themselves the member that died, or why a session was deleted. */
  readonly target: string;
  /** Tenant of the session, of the key or the quotas that were changed, or else of the caller's key; empty where it concerns none, or all. */
  readonly tenant: string;
  /** Id of the session; empty where it concerns none. */
  readonly session: string;
  /** Address, of IPv6 the first 64 bits; of what shards do by themselves the member that did it. */
  readonly from: string;
  /** The `x-request-id` of the answer; empty where no one request stands behind it. */
  readonly requestId: string;
  /** HTTP status of the answer, 0 when the caller left before it; 200 of what shards have done by themselves. */
  readonly status: number;
  /** How many requests the row stands for: reads and failures that a key repeats within a minute are one row beside the first. Of a takeover how many slots. */
  readonly count: number;
  /** Of a takeover: how many sessions came with the slots. */
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
