import { randomUUID } from "node:crypto";
import type { RedisClient } from "./connect.js";
import { keys } from "./keys.js";
import type { RedisServer } from "./wrong-server.js";

/** What one Redis says of whose it is. */
interface Marks {
  /** The cluster whose logins it keeps. */
  readonly cluster: string | null;
  /** The cluster whose cache it is. */
  readonly cacheOf: string | null;
}

export interface WrongPair {
  readonly server: RedisServer;
  /** Goes on from the setting's name. */
  readonly why: string;
  /** A restored backup may mend it. */
  readonly mayPass: boolean;
}

/** Why two servers do not belong together; undefined when they may. Pure. */
export function wrongPair(coordination: Marks, cache: Marks): WrongPair | undefined {
  if (coordination.cluster === null && coordination.cacheOf !== null)
    return {
      server: "coordination",
      why: "names the cache of a cluster, in which there are no logins: look whether REDIS_URL and REDIS_CACHE_URL have changed places",
      mayPass: false,
    };
  if (cache.cluster !== null && cache.cluster !== coordination.cluster)
    return stranger("names the Redis in which another cluster keeps its logins: give this one a cache of its own");
  if (cache.cacheOf === null || cache.cacheOf === coordination.cluster) return undefined;
  if (coordination.cluster !== null)
    return stranger(
      `names the cache of another cluster: give this one a cache of its own, or take over that one, when its cluster is gone, with DEL ${keys.cacheOf}`,
    );
  // Nobody can tell an emptied Redis from a new one.
  const lost =
    "names the cache of a cluster whose logins the other Redis does not hold: if that has lost what it held, restore a backup (npx trunkline restore)";
  const mends = `if this is another cluster, give it a cache of its own; to begin without logins, or take over that cache, DEL ${keys.cacheOf} there`;
  return { ...stranger(`${lost}; ${mends}`), mayPass: true };
}

function stranger(why: string): WrongPair {
  return { server: "cache", why, mayPass: false };
}

/**
 * Each cluster has an id, which stands in both its Redis: so the cache of another one is recognised, and URLs that have changed places. Who finds neither writes it; a cache that
 * has forgotten it is marked again. Never rejects: a Redis that does not answer is somebody else's news, and a user who may not ask learns nothing.
 */
export async function lookAtPair(coordination: RedisClient, cache: RedisClient): Promise<WrongPair | undefined> {
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

/** The same without writing. */
export async function readPair(coordination: RedisClient, cache: RedisClient): Promise<WrongPair | undefined> {
  const { own, other } = await marksOfBoth(coordination, cache);
  return wrongPair(own, other);
}

/** The cache first, and its mark before the id: whoever marks has written the id before, so no first start of several processes is taken for a stranger. */
async function marksOfBoth(coordination: RedisClient, cache: RedisClient): Promise<{ own: Marks; other: Marks }> {
  const other = await marksOf(cache);
  return { own: await marksOf(coordination), other };
}

async function marksOf(redis: RedisClient): Promise<Marks> {
  const cacheOf = await redis.get(keys.cacheOf);
  return { cluster: await redis.get(keys.clusterId), cacheOf };
}
