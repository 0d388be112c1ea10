/** Most addresses counted separately in one period. Later ones are counted together. */
const addressesMax = 1_000;
export const otherAddresses = "others";

/** Counts failed attempts per address, so that a failing loop fills neither the audit nor the log. */
export class FailedAttempts {
  private counts = new Map<string, number>();

  add(address: string): void {
    const hasOwnCount = this.counts.has(address) || this.counts.size < addressesMax;
    const name = hasOwnCount ? address : otherAddresses;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Returns the counts since the last call. */
  take(): ReadonlyMap<string, number> {
    const { counts } = this;
    this.counts = new Map();
    return counts;
  }
}
