import { randomUUID } from "node:crypto";
import type { RedisClient } from "./connect.js";
import { keys } from "./keys.js";
import type { RedisServer } from "./wrong-server.js";

/** Ids of clusters in one Redis. */
interface Marks {
  /** The cluster whose logins it stores. */
  readonly cluster: string | null;
  /** The cluster whose cache it is. */
  readonly cacheOf: string | null;
}

export interface WrongPair {
  readonly server: RedisServer;
  /** Continues the setting's name. */
  readonly why: string;
  /** True if a restored backup may fix it. */
  readonly mayPass: boolean;
}

/** Returns the reason why two servers do not belong together; undefined if they may. Pure. */
export function wrongPair(coordination: Marks, cache: Marks): WrongPair | undefined {
  if (coordination.cluster === null && coordination.cacheOf !== null)
    return {
      server: "coordination",
      why: "names the cache of a cluster, in which there are no logins: look whether REDIS_URL and REDIS_CACHE_URL have changed places",
      mayPass: false,
    };
  if (cache.cluster !== null && cache.cluster !== coordination.cluster)
    return foreignCache("names the Redis in which another cluster keeps its logins: give this one a cache of its own");
  if (cache.cacheOf === null || cache.cacheOf === coordination.cluster) return undefined;
  if (coordination.cluster !== null)
    return foreignCache(
      `names the cache of another cluster: give this one a cache of its own, or take over that one, when its cluster is gone, with DEL ${keys.cacheOf}`,
    );
  // An emptied Redis cannot be distinguished from a new one.
  const lost =
    "names the cache of a cluster whose logins the other Redis does not hold: if that has lost what it held, restore a backup (npx trunkline restore)";
  const fix = `if this is another cluster, give it a cache of its own; to begin without logins, or take over that cache, DEL ${keys.cacheOf} there`;
  return { ...foreignCache(`${lost}; ${fix}`), mayPass: true };
}

function foreignCache(why: string): WrongPair {
  return { server: "cache", why, mayPass: false };
}

/**
 * Marks both Redis with the cluster's id, so that a foreign cache or swapped URLs are found. Writes a missing mark. Never rejects: an
 * unreachable Redis is reported elsewhere.
 */
export async function checkPair(coordination: RedisClient, cache: RedisClient): Promise<WrongPair | undefined> {
  try {
    const { own, other } = await marksOfBoth(coordination, cache);
    const wrong = wrongPair(own, other);
    if (wrong !== undefined || (own.cluster !== null && other.cacheOf !== null)) return wrong;
    if (own.cluster === null) await coordination.set(keys.clusterId, randomUUID(), "NX");
    const cluster = await coordination.get(keys.clusterId);
    if (cluster !== null) await cache.set(keys.cacheOf, cluster, "NX");
    return undefined;
  } catch {
    return undefined;
  }
}

/** Does the same without writing. */
export async function readPair(coordination: RedisClient, cache: RedisClient): Promise<WrongPair | undefined> {
  const { own, other } = await marksOfBoth(coordination, cache);
  return wrongPair(own, other);
}

/** Reads the cache before the id. A writer sets the id first, so processes that start together are not taken for strangers. */
async function marksOfBoth(coordination: RedisClient, cache: RedisClient): Promise<{ own: Marks; other: Marks }> {
  const other = await marksOf(cache);
  return { own: await marksOf(coordination), other };
}

async function marksOf(redis: RedisClient): Promise<Marks> {
  const cacheOf = await redis.get(keys.cacheOf);
  return { cluster: await redis.get(keys.clusterId), cacheOf };
}
