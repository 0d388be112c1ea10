import type { CacheStore } from "@whiskeysockets/baileys";
import { LRUCache } from "lru-cache";

/** One of the library's caches, bounded and without a timer: its own sets one up for each of four caches of each session. */
export function cacheStore(entries: number, ttlMs: number): CacheStore {
  const cache = new LRUCache<string, object>({ maxSize: entries, sizeCalculation: () => 1, ttl: ttlMs });
  return {
    // Each cache holds what the library put there, of one type of its own.
    get: <T>(key: string) => (cache.get(key) as { value: T } | undefined)?.value,
    set: (key, value) => void cache.set(key, { value }),
    del: (key) => void cache.delete(key),
    flushAll: () => cache.clear(),
  };
}
