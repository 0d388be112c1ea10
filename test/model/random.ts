/** Seeded random numbers (xorshift32): the same seed gives the same run on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // A state of zero would stay zero. Without the multiplication small seeds would begin alike.
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 0 || 1;
    for (let i = 0; i < 8; i++) this.next();
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 0x1_0000_0000;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Returns a random item, or `undefined` from an empty list. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}
