import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { script } from "../../../shared/redis/script.js";
import { integer, tuple } from "../../../shared/redis/script-reply.js";

/**
 * What all shards of a cluster know about versions. Revisions are the last numbers of versions, 0 for none; times are Redis' milliseconds.
 */
export interface VersionRecord {
  /** True when the caller must run the lookup. */
  readonly claimed: boolean;
  readonly found: number;
  readonly foundAt: number;
  readonly refused: number;
  readonly lookupStartedAt: number;
  readonly lookupEndedAt: number;
}

export interface Claim {
  /** A revision that the platform has just refused; 0 for none. */
  readonly refused: number;
  readonly betweenMs: number;
  readonly afterFailureMs: number;
}

const readVersion = script<
  [record: string],
  [refused: number, betweenMs: number, afterFailureMs: number],
  [number, number, number, number, number, number]
>(new URL("./scripts/read-version.lua", import.meta.url), tuple(integer, integer, integer, integer, integer, integer));

/** Reads the record, stores a refusal, and claims the lookup for the caller when one is due. Without `claim` it only reads. */
export async function readVersionRecord(redis: RedisClient, claim: Partial<Claim> = {}): Promise<VersionRecord> {
  const { refused = 0, betweenMs = -1, afterFailureMs = -1 } = claim;
  const reply = await readVersion(redis, [keys.whatsappVersion], [refused, betweenMs, afterFailureMs]);
  const [claimed, found, foundAt, refusedRevision, lookupStartedAt, lookupEndedAt] = reply;
  return { claimed: claimed === 1, found, foundAt, refused: refusedRevision, lookupStartedAt, lookupEndedAt };
}

const writeVersion = script<[record: string], [startedAt: number, found: number], number>(
  new URL("./scripts/write-version.lua", import.meta.url),
  integer,
);

/**
 * Stores the result of the lookup claimed at `startedAt`; `found` is `undefined` if it failed. Resolves with the newest known revision: an
 * older result does not replace one that was not refused.
 */
export function writeLookup(redis: RedisClient, startedAt: number, found: number | undefined): Promise<number> {
  return writeVersion(redis, [keys.whatsappVersion], [startedAt, found ?? 0]);
}
