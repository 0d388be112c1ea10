import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { Acquired, SlotOwner } from "../../shared/cluster/ownership.js";
import type { SessionState } from "../../shared/session/state.js";
import type { AcquiredSlot } from "./slot-listener.js";

/** Facts about the members and this process. */
export interface SettleFacts {
  members: { get(name: string): MemberRecord | undefined };
  name: string;
  host: string;
  timing?: ClusterTiming;
}

/**
 * True when a dead owner may have left sockets open that only the platform closes. A reaped process has none. A fenced one on another host
 * may be cut off from the platform as well.
 */
export function leftSocketsOpen(owner: SlotOwner, { members, name, host }: SettleFacts): boolean {
  const elsewhere = owner.host !== host;
  // An earlier life of this process: its successor started because it had ended.
  if (owner.member === name && !elsewhere) return false;
  const end = endOf(owner, members.get(owner.member));
  return end === "timeout" || end === "unknown" || (end === "fenced" && elsewhere);
}

/** Returns for how many milliseconds the sockets of a newly acquired slot must stay closed. */
export function settleMs(acquired: Acquired, owner: SlotOwner | undefined, { members, name, host, timing }: SettleFacts): number {
  const { releasedGapMs, buriedGapMs } = timing ?? defaultClusterTiming;
  if (acquired.how === "new") return 0;
  const sameHost = acquired.previousHost === host;
  if (acquired.how === "released") return sameHost ? 0 : releasedGapMs;
  // The response of an acquire was lost, so the former owner is unknown.
  if (acquired.how === "same" || owner === undefined || !sameHost) return buriedGapMs;
  // An earlier life of ours: `Host` waits until the sockets of this process are closed, and an earlier process of ours was reaped.
  if (owner.member === name) return 0;
  // The kernel has closed a reaped process's sockets. A fenced process may still be closing them, even after it has rejoined.
  return endOf(owner, members.get(owner.member)) === "reaped" ? 0 : buriedGapMs;
}

/**
 * Returns how long a session of a new slot waits before it connects. `dropMs`: time until the platform drops a silent connection. Without a
 * login only `settleMs` counts: there is no login to lose, and a user may be waiting for the QR code.
 */
export function connectGapMs(
  { settleMs, silent }: Pick<AcquiredSlot, "settleMs" | "silent">,
  state: SessionState["kind"],
  dropMs: number,
): number {
  return silent && state !== "awaiting-qr" ? Math.max(settleMs, dropMs) : settleMs;
}

function endOf({ incarnation }: SlotOwner, member: MemberRecord | undefined): "reaped" | "timeout" | "fenced" | "left" | "unknown" {
  if (member?.incarnation === incarnation) return member.state === "gone" ? "left" : member.buriedBy || "unknown";
  return (member?.former?.incarnation === incarnation && member.former.end) || "unknown";
}
