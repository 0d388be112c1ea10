import type { CacheStore } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";

/** A cache for the library with synchronous reads. */
export interface ReadableCache extends CacheStore {
  get<T>(key: string): T | undefined;
}

/**
 * Returns a bounded cache for the library, without the timer that the library's own caches have. `onChange` is called with the key of each
 * stored or deleted value.
 */
export function cacheStore(entries: number, ttlMs: number, onChange?: (key: string) => void): ReadableCache {
  const cache = recentCache<object>(entries, ttlMs);
  return {
    // Each cache holds what the library stored, of one type.
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
