/** Addresses that are told apart within one period; those that come later are counted together. */
const addressesMax = 1_000;
export const otherAddresses = "others";

/** Failed attempts by address, so that whoever fails in a loop fills neither the record nor the log. */
export class FailedAttempts {
  private counts = new Map<string, number>();

  add(address: string): void {
    const known = this.counts.has(address) || this.counts.size < addressesMax;
    const name = known ? address : otherAddresses;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** What has come since the last time. */
  take(): ReadonlyMap<string, number> {
    const { counts } = this;
    this.counts = new Map();
    return counts;
  }
}
