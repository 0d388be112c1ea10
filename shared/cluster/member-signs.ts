import type { Beat } from "./beat-feed.js";
import type { ClusterTiming } from "./cluster-timing.js";
import type { MemberRecord } from "./membership.js";

/** A member as an observer has it: its record, and for how long it has given no sign of life. */
export interface WatchedMember {
  readonly record: MemberRecord;
  /** Tag of the member's incarnation. */
  readonly tag: number;
  /** Time of the last sign of life, on the observer's monotonic clock. */
  readonly heardAt: number;
  /** Time since then during which Redis responded. */
  readonly silentMs: number;
  /** The part of that time in which the member could have written its beats. */
  readonly unbeatenMs: number;
}

/** Whether its record has to be read, or the feed of beats says all that there is to know. Pure. */
export function needsRecord(member: WatchedMember, beat: Beat | undefined, passedMs: number, timing: ClusterTiming): boolean {
  const { record, tag } = member;
  // Without a place the feed never says anything of it, and without a beat it does not yet.
  if (record.place === undefined) return true;
  if (!livesOn(record)) return beat !== undefined && beat.tag !== tag;
  if (beat === undefined || beat.tag !== tag || beat.isDraining !== (record.state === "draining")) return true;
  return beat.sequence <= Number(record.sequence) && isOverdue(member, passedMs, timing);
}

/** A member that lives, and has not beaten for longer than beats are apart. Pure. */
export function isOverdue({ record, silentMs }: WatchedMember, passedMs: number, { overdueMs }: ClusterTiming): boolean {
  return livesOn(record) && silentMs + passedMs >= overdueMs;
}

/**
 * Returns the signs of a member after a poll. Pure. `wasRead`: the record is new and overrides the feed.
 * `beatsRefused`: Redis refuses writes next to the record, so the member could not beat either.
 */
export function afterLook(
  before: WatchedMember | undefined,
  look: { readonly record: MemberRecord; readonly tag: number; readonly wasRead: boolean; readonly beat: Beat | undefined },
  {
    now,
    passedMs,
    beatsRefused,
    lookMs,
  }: { readonly now: number; readonly passedMs: number; readonly beatsRefused: boolean; readonly lookMs: number },
): WatchedMember {
  const { record, tag, beat, wasRead } = look;
  const heard = { record, tag, heardAt: now, silentMs: 0, unbeatenMs: 0 };
  if (before === undefined || before.record.incarnation !== record.incarnation) return heard;
  // A Redis that forgot some beats shows a lower number: that one counts from now on.
  if (wasRead && before.record.sequence !== record.sequence) return heard;
  // The feed may be behind the record, never before it.
  if (beat?.tag === tag && beat.sequence > Number(record.sequence))
    return { ...heard, record: { ...record, sequence: String(beat.sequence) } };
  // An outage, or a period of refused writes, counts as two polls, because live members need a moment to beat again.
  const unbeatenMs = beatsRefused ? Math.min(before.unbeatenMs, 2 * lookMs) : before.unbeatenMs + passedMs;
  return { record, tag, heardAt: before.heardAt, silentMs: before.silentMs + passedMs, unbeatenMs };
}

/** Whether an observer buries it: it was silent for long enough, and not for want of Redis. Pure. */
export function mayBury({ record, heardAt, unbeatenMs }: WatchedMember, now: number, timing: ClusterTiming): boolean {
  return livesOn(record) && now - heardAt >= timing.deathMs && unbeatenMs >= timing.unbeatenMs;
}

/** It may own slots. */
export function livesOn({ state }: Pick<MemberRecord, "state">): boolean {
  return state === "active" || state === "draining";
}

/** Anything that others decide by, a sign of life apart. */
export function isChanged(before: MemberRecord | undefined, after: MemberRecord): boolean {
  return before === undefined || before.incarnation !== after.incarnation || before.state !== after.state || before.weight !== after.weight;
}
