/**
 * A map whose entries come and go with each request, in a process that lives for months. V8's own Map leaves a chain behind: when its table is replaced by the next one, after every
 * few removals of a small map, the old table keeps what was in it and leads to the new one. Once one of them has outlived two small collections of garbage, which takes an idle
 * second, it and all that follow, with every request that was ever in flight, are kept and copied until the next full collection. A fresh map now and then ends the chain
 * (bench/findings.md).
 *
 * Iterate over a copy where entries are removed meanwhile.
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
