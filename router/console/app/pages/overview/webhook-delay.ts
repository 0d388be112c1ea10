/** Start of the oldest pending event of each session that has one, in milliseconds since the epoch. */
export type Pending = ReadonlyMap<string, number>;

/** Updates one session: `lagSeconds` is the age of its oldest pending event at `now`, 0 for none. Pure. */
export function withLag(pending: Pending, session: string, lagSeconds: number, now: number): Pending {
  if (lagSeconds === 0 && !pending.has(session)) return pending;
  const next = new Map(pending);
  if (lagSeconds === 0) next.delete(session);
  else next.set(session, now - lagSeconds * 1_000);
  return next;
}

/** Returns the age of the oldest pending event of all sessions, 0 for none. Pure. */
export function delayMs(pending: Pending, now: number): number {
  return Math.max(0, ...[...pending.values()].map((since) => now - since));
}
