import type { StateName } from "../../api/rows.js";

/** State of every counted session. */
export type States = ReadonlyMap<string, StateName>;

export type Tally = Readonly<Record<StateName, number>>;

/** Counts the sessions per state. Pure. */
export function tallyOf(states: States): Tally {
  const tally = { connected: 0, "awaiting-qr": 0, "awaiting-password": 0, disconnected: 0 };
  for (const state of states.values()) tally[state] += 1;
  return tally;
}

/** Returns the states after one session entered a state. Pure. */
export function entered(states: States, session: string, state: StateName | "deleted"): States {
  const next = new Map(states);
  if (state === "deleted") next.delete(session);
  else next.set(session, state);
  return next;
}
