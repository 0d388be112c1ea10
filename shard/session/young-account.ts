import type { SessionId } from "../../shared/contract/ids.js";

/** Whether an account is new here: its session was created, or the account linked, less than `youngMs` ago. With 0 no account is young. */
export function isYoung(id: SessionId, linkedAt: Date | undefined, youngMs: number, now: number): boolean {
  return youngMs > 0 && now - Math.max(createdAt(id).getTime(), linkedAt?.getTime() ?? 0) < youngMs;
}

/** Returns when the session was created: its id begins with that second. */
export function createdAt(id: SessionId): Date {
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000);
}
