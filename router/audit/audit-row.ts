/** One row of the record of who did what. No secret, no phone number and no text of a caller is in it. */
export interface AuditRow {
  /** ISO 8601. */
  readonly at: string;
  /** Id of the api key; `session` for a caller with a session's own secret, `local` for one of this machine where no key is configured; `unknown` of failed attempts. */
  readonly who: string;
  readonly what: string;
  /** What an operator's call named, as it stands in the path behind `/admin/`; empty for a call that failed. */
  readonly target: string;
  /** Of the session, or of the caller's key; empty where it concerns none, or all. */
  readonly tenant: string;
  /** Empty where it concerns none. */
  readonly session: string;
  /** Address; of IPv6 the first 64 bits. */
  readonly from: string;
  /** Empty for failed attempts, which are counted. */
  readonly requestId: string;
  /** HTTP status of the answer; 0 when the caller left before it. */
  readonly status: number;
  /** How many requests the row stands for. */
  readonly count: number;
}

/** What a row of failed attempts says that they did. */
export const failedAuthentication = "failed-authentication";
