import type { StateName } from "../../api/rows.js";

/** Returns whether the session belongs to an account, connected or not. Pure. */
export function isLinked(state: StateName): boolean {
  return state === "connected" || state === "disconnected";
}
