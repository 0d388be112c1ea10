import { describe, expect, it } from "vitest";
import type { Beat } from "../../../../shared/cluster/beat-feed.js";
import { defaultClusterTiming } from "../../../../shared/cluster/cluster-timing.js";
import { afterPoll, isChanged, needsRecord, type WatchedMember } from "../../../../shared/cluster/member-signs.js";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";

const { overdueMs } = defaultClusterTiming;

const record = (change: Partial<MemberRecord> = {}): MemberRecord => ({
  name: "a",
  incarnation: "a1",
  sequence: "7",
  state: "active",
  weight: 1,
  host: "h",
  buriedBy: "",
  place: 0,
  ...change,
});
const watched = (change: Partial<WatchedMember> = {}): WatchedMember => ({
  record: record(),
  tag: 5,
  seenAt: 1_000,
  silentMs: 0,
  unbeatenMs: 0,
  ...change,
});
/** A record as versions before 0.2 write it. */
const homeless: MemberRecord = { name: "a", incarnation: "a1", sequence: "7", state: "active", weight: 1, host: "h", buriedBy: "" };
const beat = (change: Partial<Beat> = {}): Beat => ({ tag: 5, sequence: 8, isDraining: false, ...change });

describe("needsRecord", () => {
  it.each<[string, boolean, WatchedMember, Beat | undefined]>([
    ["not while beats come", false, watched(), beat()],
    ["not between two beats", false, watched({ silentMs: overdueMs - 1_001 }), beat({ sequence: 7 })],
    ["when the feed fell silent", true, watched({ silentMs: overdueMs - 1_000 }), beat({ sequence: 7 })],
    ["not when a beat came after a silence", false, watched({ silentMs: overdueMs }), beat()],
    ["without a place in the feed", true, watched({ record: homeless }), undefined],
    ["before its first beat", true, watched(), undefined],
    ["when another life of it beats", true, watched(), beat({ tag: 6 })],
    ["when it drains", true, watched(), beat({ isDraining: true })],
    ["when it does not drain any more", true, watched({ record: record({ state: "draining" }) }), beat()],
    ["not of the dead", false, watched({ record: record({ state: "dead" }), silentMs: 60_000 }), beat({ sequence: 7 })],
    ["not of the dead, who was never in the feed", false, watched({ record: record({ state: "gone" }) }), undefined],
    ["of the dead, when another life of it beats", true, watched({ record: record({ state: "dead" }) }), beat({ tag: 6, sequence: 1 })],
  ])("%s", (_, expected, member, sign) => {
    expect(needsRecord(member, sign, 1_000, defaultClusterTiming)).toBe(expected);
  });
});

describe("afterPoll", () => {
  const passed = { now: 9_000, passedMs: 1_000, beatsRefused: false, pollMs: 1_000 };
  const seen = { seenAt: 9_000, silentMs: 0, unbeatenMs: 0 };
  const silent = { seenAt: 1_000, silentMs: 3_000, unbeatenMs: 3_000 };
  const before = watched({ silentMs: 2_000, unbeatenMs: 2_000 });
  const look = { record: record(), tag: 5, wasRead: false, beat: beat({ sequence: 7 }) };
  it.each<[string, object, WatchedMember | undefined, Partial<typeof look> & { beat?: Beat }]>([
    ["begins with a member that is new", seen, undefined, {}],
    ["begins anew with another life", seen, before, { record: record({ incarnation: "a2", sequence: "7" }), wasRead: true }],
    ["takes a beat of the feed", { ...seen, record: { sequence: "8" } }, before, { beat: beat() }],
    ["takes a beat of the record", seen, before, { record: record({ sequence: "8" }), wasRead: true }],
    ["takes a lower beat of a Redis that lost beats", seen, before, { record: record({ sequence: "3" }), wasRead: true }],
    ["ignores a feed that is behind the record", silent, before, { beat: beat({ sequence: 6 }) }],
    ["ignores beats of another incarnation", silent, before, { beat: beat({ tag: 6, sequence: 99 }) }],
    ["counts silence", silent, before, {}],
    ["counts silence when the record says the same", silent, before, { wasRead: true }],
  ])("%s", (_, expected, member, change) => {
    expect(afterPoll(member, { ...look, ...change }, passed)).toMatchObject(expected);
  });
  it("counts a time of refused beats as two seconds for whoever would bury the member, and whole for whoever shows it", () => {
    const refused = { ...passed, beatsRefused: true };
    const after = (unbeatenMs: number): object => afterPoll({ ...before, unbeatenMs }, look, refused);
    expect([after(1_500), after(4_000)]).toMatchObject([
      { silentMs: 3_000, unbeatenMs: 1_500 },
      { silentMs: 3_000, unbeatenMs: 2_000 },
    ]);
  });
});

describe("isChanged", () => {
  it.each<[string, boolean, MemberRecord | undefined, MemberRecord]>([
    ["a member that is new", true, undefined, record()],
    ["another life", true, record(), record({ incarnation: "a2" })],
    ["another state", true, record(), record({ state: "draining" })],
    ["another weight", true, record(), record({ weight: 2 })],
    ["no beat", false, record(), record({ sequence: "8" })],
  ])("%s", (_, expected, before, after) => {
    expect(isChanged(before, after)).toBe(expected);
  });
});
