import type { SessionId } from "../../shared/contract/ids.js";

/** Whether an account is a gateway's for so short a time that it is to be taken care of: its session was made, or the account linked in it, less than `youngMs` ago. With 0 none is. */
export function isYoung(id: SessionId, linkedAt: Date | undefined, youngMs: number, now: number): boolean {
  // The id begins with the seconds at which it was made.
  const madeAt = Number.parseInt(id.slice(0, 8), 16) * 1_000;
  return youngMs > 0 && now - Math.max(madeAt, linkedAt?.getTime() ?? 0) < youngMs;
}
