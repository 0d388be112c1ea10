import { recentCache } from "../../flow/recent-cache.js";

/**
 * The part of `@cacheable/node-cache` that the library uses once each cache that its options offer is given: whether a key was set within
 * the last seconds. The package's own class takes 6 KB for each account and has a timer.
 */
export default class LibraryCache {
  private readonly recent;

  constructor({ stdTTL }: { readonly stdTTL: number }) {
    this.recent = recentCache<{ readonly value: unknown }>(entriesMost, stdTTL * 1_000);
  }

  get(key: string): unknown {
    return this.recent.get(key)?.value;
  }

  set(key: string, value: unknown): void {
    this.recent.set(key, { value });
  }

  close(): void {
    this.recent.clear();
  }
}

const entriesMost = 1_000;
