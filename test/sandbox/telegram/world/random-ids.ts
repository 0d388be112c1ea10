const keptPerAccount = 2_000;

/** Random ids of accepted messages and stories, by which the platform recognises a repeated send. */
export class RandomIds {
  private readonly seen = new Map<string, Set<string>>();

  has(account: string, randomId: string): boolean {
    return this.seen.get(account)?.has(randomId) ?? false;
  }

  /** Marks the id as used. `forget` reverts it if the send fails. */
  add(account: string, randomId: string): void {
    const ids = this.seen.get(account) ?? new Set();
    this.seen.set(account, ids.add(randomId));
    if (ids.size > keptPerAccount) ids.delete(ids.values().next().value ?? "");
  }

  forget(account: string, randomId: string): void {
    this.seen.get(account)?.delete(randomId);
  }
}
