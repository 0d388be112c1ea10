import { CompactMap } from "./compact-map.js";

/**
 * Shares places by key, such as a session: a key may hold half as many places as are still free. A single key gets a third of all, ten keys
 * get a twelfth each, and a new key always finds a place.
 */
export class FairShares {
  private readonly byKey = new CompactMap<string, number>();
  private count = 0;

  /** `capacity` may change while places are held. `part`: places that one key may hold, as a multiple of the free places. */
  constructor(
    private readonly capacity: () => number,
    private readonly part = 1 / 2,
  ) {}

  /** Places held. */
  get total(): number {
    return this.count;
  }

  held(key: string): number {
    return this.byKey.get(key) ?? 0;
  }

  /** Whether the key may have one more. */
  hasShare(key: string): boolean {
    return this.held(key) < Math.ceil((this.capacity() - this.count) * this.part);
  }

  /** Takes a place, even beyond the share, for callers that must not be refused. The returned function releases the place once. */
  take(key: string): () => void {
    this.byKey.set(key, this.held(key) + 1);
    this.count += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = this.held(key) - 1;
      if (left > 0) this.byKey.set(key, left);
      else this.byKey.delete(key);
      this.count -= 1;
    };
  }
}
