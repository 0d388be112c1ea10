import { LRUCache } from "lru-cache";

/**
 * Returns a cache of the last `entries` used values, each kept for `ttlMs` at most when given. Bounded by size, because with a count
 * LRUCache reserves all its places at once: 160 KB for the caches of one session.
 */
export function recentCache<V extends string | object>(entries: number, ttlMs = 0): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: entries, sizeCalculation: () => 1, ttl: ttlMs });
}
