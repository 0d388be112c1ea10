import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";

export type LossReason = "validity ran out" | "buried or replaced" | "redis silent";

/** The right of one incarnation to own slots, as this process knows it. */
export type Lease =
  | { readonly kind: "none" }
  /** Its join was refused, or may stand in Redis under a name that nobody beats for. */
  | { readonly kind: "joining"; readonly incarnation: string }
  /** `validUntil` is on the keeper's own monotonic clock. `failing`: the last heartbeat was not answered. */
  | { readonly kind: "held"; readonly incarnation: string; readonly validUntil: number; readonly failing: boolean }
  | { readonly kind: "lost"; readonly incarnation: string; readonly why: LossReason };

/** `sentAt`: before the question went out, for that is the moment from which others count. */
export type LeaseEvent =
  | { readonly type: "join-sent"; readonly incarnation: string }
  | { readonly type: "join-answered"; readonly incarnation: string; readonly joined: boolean; readonly sentAt: number }
  | { readonly type: "beat-answered"; readonly incarnation: string; readonly good: boolean; readonly sentAt: number }
  | { readonly type: "beat-failed"; readonly incarnation: string }
  /** The validity should be over. */
  | { readonly type: "expiry" }
  | { readonly type: "left" };

/** What the lease is after the event. Pure. */
export function nextLease(lease: Lease, event: LeaseEvent, now: number, timing: ClusterTiming): Lease {
  const { validityMs } = timing;
  switch (event.type) {
    case "join-sent":
      return { kind: "joining", incarnation: event.incarnation };
    case "join-answered":
      return event.joined ? { kind: "held", incarnation: event.incarnation, validUntil: event.sentAt + validityMs, failing: false } : lease;
    case "beat-answered":
      return afterBeat(lease, event, now, timing);
    case "beat-failed":
      return lease.kind === "held" && lease.incarnation === event.incarnation ? { ...lease, failing: true } : lease;
    // Sockets close when the validity ends, not when a heartbeat that Redis does not answer has failed: others connect 6 s later.
    case "expiry":
      return lease.kind !== "held" || isValid(lease, now) ? lease : { kind: "lost", incarnation: lease.incarnation, why: "redis silent" };
    case "left":
      return { kind: "none" };
  }
}

export function isValid(lease: Lease, now: number): boolean {
  return lease.kind === "held" && now < lease.validUntil;
}

/** Until the next heartbeat, or the next try to join. */
export function nextBeatMs(lease: Lease, { heartbeatMs, retryMs }: ClusterTiming): number {
  return lease.kind === "held" && !lease.failing ? heartbeatMs : retryMs;
}

/** An incarnation of ours that is over: nobody waits out its lease, we bury it ourselves before the next join. */
export function toBury(lease: Lease): string | undefined {
  return lease.kind === "joining" || lease.kind === "lost" ? lease.incarnation : undefined;
}

function afterBeat(
  lease: Lease,
  { incarnation, good, sentAt }: Extract<LeaseEvent, { type: "beat-answered" }>,
  now: number,
  { validityMs }: ClusterTiming,
): Lease {
  // The validity ran out while Redis answered.
  if (lease.kind !== "held" || lease.incarnation !== incarnation) return lease;
  if (!good) return { kind: "lost", incarnation, why: "buried or replaced" };
  // A beat that took so long that the old validity ran out does not revive it: others may have acted on the silence.
  if (!isValid(lease, now)) return { kind: "lost", incarnation, why: "validity ran out" };
  return { ...lease, validUntil: sentAt + validityMs, failing: false };
}
