import type { SessionId } from "../../shared/contract/ids.js";

/** Returns true if the session was made, or its account linked, less than `youngMs` ago. Always false when `youngMs` is 0. */
export function isYoung(id: SessionId, linkedAt: Date | undefined, youngMs: number, now: number): boolean {
  // The id begins with the second of its creation.
  const madeAt = Number.parseInt(id.slice(0, 8), 16) * 1_000;
  return youngMs > 0 && now - Math.max(madeAt, linkedAt?.getTime() ?? 0) < youngMs;
}
