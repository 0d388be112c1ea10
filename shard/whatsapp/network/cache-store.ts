import type { CacheStore } from "@whiskeysockets/baileys";
import { LRUCache } from "lru-cache";

/** One of the library's caches, read without a wait. */
export interface ReadableCache extends CacheStore {
  get<T>(key: string): T | undefined;
}

/** One of the library's caches, bounded and without a timer: its own sets one up for each of four caches of each session. `onChange` hears of each value that is put or taken away. */
export function cacheStore(entries: number, ttlMs: number, onChange?: (key: string) => void): ReadableCache {
  const cache = new LRUCache<string, object>({ maxSize: entries, sizeCalculation: () => 1, ttl: ttlMs });
  return {
    // Each cache holds what the library put there, of one type of its own.
    get: <T>(key: string) => (cache.get(key) as { value: T } | undefined)?.value,
    set: (key, value) => {
      cache.set(key, { value });
      onChange?.(key);
    },
    del: (key) => {
      cache.delete(key);
      onChange?.(key);
    },
    flushAll: () => cache.clear(),
  };
}
