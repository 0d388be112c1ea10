import { LRUCache } from "lru-cache";

/**
 * The last `entries` used values by text, each for `ttlMs` at most when given. Bounded by size instead of count, because with a count
 * LRUCache sets all its places aside at once: 160 KB for the caches of one session, used or not.
 */
export function recentCache<V extends string | object>(entries: number, ttlMs = 0): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: entries, sizeCalculation: () => 1, ttl: ttlMs });
}
