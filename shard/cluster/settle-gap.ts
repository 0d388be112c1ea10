import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { Acquired, SlotOwner } from "../../shared/cluster/ownership.js";
import type { SessionState } from "../../shared/session/state.js";
import type { AcquiredSlot } from "./slot-listener.js";

/** What is asked of the members and of this process. */
export interface SettleFacts {
  members: { get(name: string): MemberRecord | undefined };
  name: string;
  host: string;
  timing?: ClusterTiming;
}

/**
 * True when a dead owner may have left platform sockets open that nobody is going to close: only the platform itself ends those, some time after the last sign of life. A reaped process
 * has none. One that fenced itself has closed them, but from another host the word of it may not have come through, for what cut it off from Redis may have cut it off from the platform.
 */
export function leftSocketsOpen(owner: SlotOwner, { members, name, host }: SettleFacts): boolean {
  const elsewhere = owner.host !== host;
  // A former life of this very process: its successor was started because it had ended.
  if (owner.member === name && !elsewhere) return false;
  const end = endOf(owner, members.get(owner.member));
  return end === "timeout" || end === "unknown" || (end === "fenced" && elsewhere);
}

/** How long the sockets of a slot that was just acquired must stay closed in any case, milliseconds. */
export function settleMs(acquired: Acquired, owner: SlotOwner | undefined, { members, name, host, timing }: SettleFacts): number {
  const { releasedGapMs, buriedGapMs } = timing ?? defaultClusterTiming;
  if (acquired.how === "new") return 0;
  const sameHost = acquired.previousHost === host;
  if (acquired.how === "released") return sameHost ? 0 : releasedGapMs;
  // An acquire whose answer was lost: from whom it took the slot, nobody knows any more.
  if (acquired.how === "same" || owner === undefined || !sameHost) return buriedGapMs;
  // A former life of ours: the host waits until this process's own sockets are closed, and a process that ours replaced was reaped.
  if (owner.member === name) return 0;
  // The kernel of this host has closed a reaped process's sockets. One that fenced itself may still be closing them, whether it has joined again or not.
  return endOf(owner, members.get(owner.member)) === "reaped" ? 0 : buriedGapMs;
}

/**
 * How long a session of a slot that was just acquired waits before it connects. `dropMs`: as long the platform takes to drop a connection that fell silent.
 * Without a login there is nothing to lose, and somebody may be waiting in front of a QR code.
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
