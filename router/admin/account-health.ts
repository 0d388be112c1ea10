import type { Count, Instant } from "../../shared/contract/plain-values.js";
import type { RefusalKind } from "../../shared/contract/refusal-kind.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { RecordTexts } from "../../shared/session/record-texts.js";
import { openHealth, type Restriction } from "../../shared/session/stored-health.js";

/** How the platform treats the account of a session. */
export interface AccountHealth {
  /** Why the platform restricts the account, in words. Empty without a restriction. */
  reason: string;
  /** Number of rejected calls since the session was created, by kind. */
  counts: RefusalCount[];
  /** The newest rejected calls, the newest first, 20 at most. */
  refusals: Refusal[];
}

export interface RefusalCount {
  /** What the platform means by the rejection. */
  kind: RefusalKind;
  /** Number of rejected calls. */
  count: Count;
}

/** One call that the platform rejected. */
export interface Refusal {
  /** What the platform means by the rejection. */
  kind: RefusalKind;
  /** The error that the caller got, with the platform's code. */
  message: string;
  /** Time of the rejection. */
  at: Instant;
}

/** Reads what the session's owner stored. Empty if it does not open. */
export async function readAccountHealth(
  { redis, ring }: { readonly redis: RedisClient; readonly ring: Pick<KeyRing, "open"> },
  id: SessionId,
): Promise<AccountHealth> {
  const [wrapped, sealed] = await redis.hmgetBuffer(keys.session(id), "dk", "health");
  const { restriction, refusals, counts } = openHealth(new RecordTexts(ring, id, wrapped), sealed);
  const byCount = Object.entries(counts) as [RefusalKind, number][];
  return {
    reason: isOver(restriction) ? "" : (restriction?.reason ?? ""),
    counts: byCount.map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count),
    refusals: refusals.map(({ kind, message, at }) => ({ kind, message, at })).reverse(),
  };
}

function isOver(restriction: Restriction | undefined): boolean {
  return restriction === undefined || Date.parse(restriction.until) <= Date.now();
}
