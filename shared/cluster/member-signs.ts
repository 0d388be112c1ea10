import type { Beat } from "./beat-feed.js";
import type { ClusterTiming } from "./cluster-timing.js";
import type { MemberRecord } from "./membership.js";

/** A member as an observer sees it: its record, and the time since its last sign of life. */
export interface WatchedMember {
  readonly record: MemberRecord;
  /** Tag of the member's incarnation. */
  readonly tag: number;
  /** Time of the last sign of life, on the observer's monotonic clock. */
  readonly seenAt: number;
  /** Time since then during which Redis responded. */
  readonly silentMs: number;
  /** The part of that time in which the member could have written its beats. */
  readonly unbeatenMs: number;
}

/** Whether the record must be read, because the feed of beats is not enough. Pure. */
export function needsRecord(member: WatchedMember, beat: Beat | undefined, passedMs: number, timing: ClusterTiming): boolean {
  const { record, tag } = member;
  // A member without a place is never in the feed, and a new member is not in it yet.
  if (record.place === undefined) return true;
  if (!livesOn(record)) return beat !== undefined && beat.tag !== tag;
  if (beat === undefined || beat.tag !== tag || beat.isDraining !== (record.state === "draining")) return true;
  return beat.sequence <= Number(record.sequence) && isOverdue(member, passedMs, timing);
}

/** Whether a live member has been silent for longer than its beats are apart. Pure. */
export function isOverdue({ record, silentMs }: WatchedMember, passedMs: number, { overdueMs }: ClusterTiming): boolean {
  return livesOn(record) && silentMs + passedMs >= overdueMs;
}

/**
 * Returns the signs of a member after a poll. Pure. `wasRead`: the record is new and overrides the feed.
 * `beatsRefused`: Redis refuses writes next to the record, so the member could not beat either.
 */
export function afterPoll(
  before: WatchedMember | undefined,
  sign: { readonly record: MemberRecord; readonly tag: number; readonly wasRead: boolean; readonly beat: Beat | undefined },
  {
    now,
    passedMs,
    beatsRefused,
    pollMs,
  }: { readonly now: number; readonly passedMs: number; readonly beatsRefused: boolean; readonly pollMs: number },
): WatchedMember {
  const { record, tag, beat, wasRead } = sign;
  const seen = { record, tag, seenAt: now, silentMs: 0, unbeatenMs: 0 };
  if (before === undefined || before.record.incarnation !== record.incarnation) return seen;
  // A Redis that lost beats shows a lower number, which counts from now on.
  if (wasRead && before.record.sequence !== record.sequence) return seen;
  // The feed may be behind the record, but never ahead of it.
  if (beat?.tag === tag && beat.sequence > Number(record.sequence))
    return { ...seen, record: { ...record, sequence: String(beat.sequence) } };
  // An outage, or a period of refused writes, counts as two polls, because live members need a moment to beat again.
  const unbeatenMs = beatsRefused ? Math.min(before.unbeatenMs, 2 * pollMs) : before.unbeatenMs + passedMs;
  return { record, tag, seenAt: before.seenAt, silentMs: before.silentMs + passedMs, unbeatenMs };
}

/** Whether an observer may bury the member: it was silent for long enough, and not because of Redis. Pure. */
export function mayBury({ record, seenAt, unbeatenMs }: WatchedMember, now: number, timing: ClusterTiming): boolean {
  return livesOn(record) && now - seenAt >= timing.deathMs && unbeatenMs >= timing.unbeatenMs;
}

/** Whether the member may own slots. */
export function livesOn({ state }: Pick<MemberRecord, "state">): boolean {
  return state === "active" || state === "draining";
}

/** Anything that others decide by, a sign of life apart. */
export function isChanged(before: MemberRecord | undefined, after: MemberRecord): boolean {
  return before === undefined || before.incarnation !== after.incarnation || before.state !== after.state || before.weight !== after.weight;
}
