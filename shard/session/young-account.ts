import type { SessionId } from "../../shared/contract/ids.js";

/** Whether an account is a gateway's for so short a time that it is to be taken care of: its session was made less than `youngMs` ago. With 0 none is. */
export function isYoung(id: SessionId, youngMs: number, now: number): boolean {
  // The id begins with the seconds at which it was made.
  return youngMs > 0 && now - Number.parseInt(id.slice(0, 8), 16) * 1_000 < youngMs;
}
