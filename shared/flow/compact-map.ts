/**
 * A map for entries of requests. V8's Map chains its old tables, which can retain every past entry until a full
 * collection; a fresh map breaks the chain (bench/findings.md). Iterate over a copy if entries may be removed.
 */
export class CompactMap<K, V> {
  private current = new Map<K, V>();
  private removed = 0;

  get size(): number {
    return this.current.size;
  }

  get(key: K): V | undefined {
    return this.current.get(key);
  }

  has(key: K): boolean {
    return this.current.has(key);
  }

  set(key: K, value: V): void {
    this.current.set(key, value);
  }

  /** False when there was none. */
  delete(key: K): boolean {
    if (!this.current.delete(key)) return false;
    this.removed += 1;
    // As often as all of it has changed, so that the copies cost next to nothing.
    if (this.removed > renewAfter + this.current.size) {
      this.removed = 0;
      this.current = new Map(this.current);
    }
    return true;
  }

  keys(): IterableIterator<K> {
    return this.current.keys();
  }

  values(): IterableIterator<V> {
    return this.current.values();
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.current[Symbol.iterator]();
  }
}

/** Far fewer than come between two small collections. */
const renewAfter = 64;
