import type { NewChats, RefusedCall, Restriction, StoredHealth } from "../../../shared/session/stored-health.js";

/** A restriction as the platform reported it, or as it follows from a refusal. */
export type RestrictionReport = Pick<Restriction, "cause" | "reason"> & { readonly until: Date };

/** The platform's numbers of an account's new chats. */
export type CapReport = Omit<NewChats, "account">;

/** Platforms move the end of a restriction by moments with each report. A smaller change than this is not stored. */
const sameEndMs = 60_000;
/** A restriction that ends this much earlier or later is reported to the webhook again. */
const otherEndMs = 3_600_000;
/** Restrictions last for weeks at most. A later time is a mistake of the platform's, or of its clock. */
const longestMs = 90 * 24 * 3_600_000;

/**
 * Returns the restriction that holds after a report; the same object if nothing changed. The platform's own time replaces one that a
 * refusal without a time led to, and a refusal without a time shortens nothing.
 */
export function restrictionAfter(
  before: Restriction | undefined,
  { cause, reason, until }: RestrictionReport,
  account: string,
  now = Date.now(),
): Restriction {
  const end = Math.min(until.getTime(), now + longestMs);
  const after: Restriction = { account, cause, reason, until: new Date(end).toISOString() };
  if (before === undefined) return after;
  const movedMs = end - Date.parse(before.until);
  if (cause === "refusal" && (before.cause !== "refusal" || movedMs < sameEndMs)) return before;
  // If there are a lock and a cap, the one that ends later holds.
  if (cause !== before.cause && before.cause !== "refusal" && movedMs <= 0) return before;
  return before.cause === cause && before.reason === reason && Math.abs(movedMs) < sameEndMs ? before : after;
}

/** Returns whether a receiver must learn of the change: the restriction is new, or its reason or its end is another one. */
export function isNews(before: Restriction | undefined, after: Restriction): boolean {
  return before?.reason !== after.reason || Math.abs(Date.parse(after.until) - Date.parse(before.until)) >= otherEndMs;
}

/** Refusals that are listed. Their number by kind counts all of them. */
const refusalsMax = 20;
const messageMaxLength = 200;

/** Returns the health with one more refusal. */
export function withRefusal({ refusals, counts, ...rest }: StoredHealth, { kind, message, at }: RefusedCall): StoredHealth {
  return {
    ...rest,
    refusals: [...refusals, { kind, message: message.slice(0, messageMaxLength), at }].slice(-refusalsMax),
    counts: { ...counts, [kind]: (counts[kind] ?? 0) + 1 },
  };
}
