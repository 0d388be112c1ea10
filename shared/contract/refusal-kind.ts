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
