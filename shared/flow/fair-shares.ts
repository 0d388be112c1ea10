import { CompactMap } from "./compact-map.js";

/**
 * Places shared out by key, such as a session: a key may hold as many as half of the places that are still free. One alone gets a third of all, ten get a
 * twelfth each, and however many there are, the next one finds a place. So no key's load gets another one refused, and no place stays empty for a key that wants none.
 */
export class FairShares {
  private readonly byKey = new CompactMap<string, number>();
  private count = 0;

  /** `capacity` may change while places are held. `part`: how many times as many as are still free one key may hold. */
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

  /** Takes a place, also beyond the share: whoever must not be refused does not ask. The returned function gives it back, once. */
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
