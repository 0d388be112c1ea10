import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";

export type LossReason = "validity ran out" | "buried or replaced" | "redis silent";

/** The lease of one incarnation, as this process knows it. */
export type Lease =
  | { readonly kind: "none" }
  /** The join was rejected, or its response was lost: then Redis may hold an incarnation that never beats. */
  | { readonly kind: "joining"; readonly incarnation: string }
  /** `validUntil` uses the keeper's monotonic clock. `failing`: the last heartbeat got no response. */
  | { readonly kind: "held"; readonly incarnation: string; readonly validUntil: number; readonly failing: boolean }
  | { readonly kind: "lost"; readonly incarnation: string; readonly why: LossReason };

/** `sentAt`: time before the request was sent, because other members count from then. */
export type LeaseEvent =
  | { readonly type: "join-sent"; readonly incarnation: string }
  | { readonly type: "join-response"; readonly incarnation: string; readonly joined: boolean; readonly sentAt: number }
  | { readonly type: "beat-response"; readonly incarnation: string; readonly good: boolean; readonly sentAt: number }
  | { readonly type: "beat-failed"; readonly incarnation: string }
  /** The validity may have ended. */
  | { readonly type: "expiry" }
  | { readonly type: "left" };

/** Returns the lease after the event. Pure. */
export function nextLease(lease: Lease, event: LeaseEvent, now: number, timing: ClusterTiming): Lease {
  const { validityMs } = timing;
  switch (event.type) {
    case "join-sent":
      return { kind: "joining", incarnation: event.incarnation };
    case "join-response":
      return event.joined ? { kind: "held", incarnation: event.incarnation, validUntil: event.sentAt + validityMs, failing: false } : lease;
    case "beat-response":
      return afterBeat(lease, event, now, timing);
    case "beat-failed":
      return lease.kind === "held" && lease.incarnation === event.incarnation ? { ...lease, failing: true } : lease;
    // Sockets close when the validity ends, not at the first failed heartbeat: other members connect only 6 s after its end.
    case "expiry":
      return lease.kind !== "held" || isValid(lease, now) ? lease : { kind: "lost", incarnation: lease.incarnation, why: "redis silent" };
    case "left":
      return { kind: "none" };
  }
}

export function isValid(lease: Lease, now: number): boolean {
  return lease.kind === "held" && now < lease.validUntil;
}

/** Returns the milliseconds until the next heartbeat or join. */
export function nextBeatMs(lease: Lease, { heartbeatMs, retryMs }: ClusterTiming): number {
  return lease.kind === "held" && !lease.failing ? heartbeatMs : retryMs;
}

/** Returns an ended incarnation of ours, so that it is buried before the next join instead of waiting for its lease to expire. */
export function toBury(lease: Lease): string | undefined {
  return lease.kind === "joining" || lease.kind === "lost" ? lease.incarnation : undefined;
}

function afterBeat(
  lease: Lease,
  { incarnation, good, sentAt }: Extract<LeaseEvent, { type: "beat-response" }>,
  now: number,
  { validityMs }: ClusterTiming,
): Lease {
  // The validity ended, or another incarnation began, while the heartbeat was in flight.
  if (lease.kind !== "held" || lease.incarnation !== incarnation) return lease;
  if (!good) return { kind: "lost", incarnation, why: "buried or replaced" };
  // A late beat does not revive an expired lease: other members may have acted on the silence.
  if (!isValid(lease, now)) return { kind: "lost", incarnation, why: "validity ran out" };
  return { ...lease, validUntil: sentAt + validityMs, failing: false };
}
