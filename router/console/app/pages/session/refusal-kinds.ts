import type { RefusalKind } from "../../../../../shared/contract/refusal-kind.js";

/** Names of what the platform means by a rejection. */
export const kindNames: Readonly<Record<RefusalKind, string>> = {
  flood: "Too many requests",
  "slow-mode": "Slow mode",
  restricted: "Account restricted",
  limit: "Limit reached",
  banned: "Banned",
  outdated: "Client outdated",
  unauthorized: "Unauthorized",
  forbidden: "Forbidden",
  "not-accepted": "Not accepted",
  "not-found": "Not found",
  "not-allowed": "Not allowed",
  conflict: "Conflict",
  "bad-request": "Invalid request",
  unavailable: "Platform unavailable",
  other: "Other",
};
