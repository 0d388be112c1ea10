/**
 * Timeouts in milliseconds by which processes of a cluster judge each other (shared/README.md,
 * "Leases"). All processes must use the same values; production always uses the defaults.
 */
export interface ClusterTiming {
  /** Interval between two heartbeats of a shard. */
  readonly heartbeatMs: number;
  /** Wait between a failed heartbeat, or a rejected join, and the next try. */
  readonly retryMs: number;
  /** How long a lease is valid, counted from before its last good heartbeat was sent. */
  readonly validityMs: number;
  /** Silence after which a member is buried. */
  readonly deathMs: number;
  /** The part of that silence in which the member could have written a heartbeat. */
  readonly unbeatenMs: number;
  /** Silence after which a member no longer counts as proof that its accounts are connected. */
  readonly unheardMs: number;
  /** Silence after which each poll reads the member's record. */
  readonly overdueMs: number;
  /** Interval between two polls of all members, slots or calls. */
  readonly pollMs: number;
  /** A process without a reply from Redis for this long is not ready. */
  readonly redisSilentMs: number;
  /** A supervisor kills a child that has not reported for this long. */
  readonly stallMs: number;
  /** A process that starts takes no slots until the members have been the same for this long. */
  readonly quietMs: number;
  /** Slots may move when the members have been the same for this long. */
  readonly stableMs: number;
  /** The slots of a fenced member of another host are left to its next life for this long. */
  readonly rejoinGraceMs: number;
  /** Settle gap after another host released a slot. */
  readonly releasedGapMs: number;
  /** Settle gap after an owner died whose sockets may still be closing. */
  readonly buriedGapMs: number;
  /** A planned move ends reads that still run after this. */
  readonly drainReadMs: number;
  /** A planned move ends all commands that still run after this. */
  readonly drainSendMs: number;
  /** A command waits this long for the connection of its session. */
  readonly connectWaitMs: number;
  /** Age at which a router checks whether the entry of a waiting call was lost, and the interval of that check. */
  readonly lostCheckMs: number;
  /** Time for which shards may still reply after Redis was found empty. */
  readonly lastRepliesMs: number;
}

export const defaultClusterTiming: ClusterTiming = {
  heartbeatMs: 3_000,
  retryMs: 500,
  validityMs: 17_000,
  deathMs: 20_000,
  unbeatenMs: 5_000,
  unheardMs: 10_000,
  overdueMs: 4_000,
  pollMs: 1_000,
  redisSilentMs: 3_000,
  stallMs: 10_000,
  quietMs: 1_000,
  stableMs: 5_000,
  rejoinGraceMs: 3_000,
  releasedGapMs: 2_000,
  buriedGapMs: 3_000,
  drainReadMs: 5_000,
  drainSendMs: 30_000,
  connectWaitMs: 10_000,
  lostCheckMs: 2_000,
  lastRepliesMs: 5_000,
};

/** Returns the default timing times `factor`, for tests. Throws when a relation no longer holds. */
export function scaledTiming(factor: number): ClusterTiming {
  const timing: { -readonly [Wait in keyof ClusterTiming]: number } = { ...defaultClusterTiming };
  for (const wait of waits) timing[wait] = Math.round(timing[wait] * factor);
  return checkedTiming(timing);
}

/** Returns `timing`, or throws a sentence for the first relation that it breaks. */
export function checkedTiming(timing: ClusterTiming): ClusterTiming {
  for (const { holds, reason } of relations) if (!holds(timing)) throw new Error(reason);
  if (Object.values(timing).some((ms) => !(ms > 0))) throw new Error("each wait must be longer than 0 ms");
  return timing;
}

const waits = Object.keys(defaultClusterTiming) as (keyof ClusterTiming)[];

/** Relations that must hold between the waits at every scale. */
const relations: readonly { readonly holds: (timing: ClusterTiming) => boolean; readonly reason: string }[] = [
  { holds: (t) => t.deathMs >= 1.15 * t.validityMs, reason: "clocks of two hosts may differ by 15 % between validity and death" },
  { holds: (t) => t.validityMs > 5 * t.heartbeatMs, reason: "a lease must outlive four failed heartbeats" },
  { holds: (t) => t.stallMs + 2 * t.pollMs < t.validityMs, reason: "a hung shard must be dead before its lease ends" },
  { holds: (t) => t.overdueMs >= t.heartbeatMs + t.pollMs, reason: "a member between two heartbeats must not be overdue" },
  { holds: (t) => t.unheardMs >= 3 * t.heartbeatMs + t.pollMs, reason: "a member may miss three heartbeats and still be heard" },
  { holds: (t) => t.unheardMs < t.validityMs, reason: "a member must be unheard before its lease ends" },
  { holds: (t) => t.unbeatenMs >= t.heartbeatMs + 2 * t.pollMs, reason: "members must have time to beat again after an outage" },
  { holds: (t) => t.redisSilentMs >= 3 * t.pollMs, reason: "Redis may miss two looks and still count as answering" },
  { holds: (t) => t.stableMs > t.rejoinGraceMs, reason: "a member that rejoins must find its slots before they move" },
  { holds: (t) => t.rejoinGraceMs >= 2 * t.retryMs, reason: "a fenced member must have time to join again" },
  { holds: (t) => t.lastRepliesMs >= t.heartbeatMs + t.pollMs, reason: "shards notice an emptied Redis at their next heartbeat" },
  { holds: (t) => t.drainReadMs <= t.drainSendMs, reason: "a move ends reads before sends" },
];
