import { describe, expect, it } from "vitest";
import { defaultClusterTiming } from "../../../../shared/cluster/cluster-timing.js";
import { isValid, nextBeatMs, nextLease, toBury, type Lease, type LeaseEvent } from "../../../../shard/cluster/lease.js";

const { validityMs } = defaultClusterTiming;

const none: Lease = { kind: "none" };
const joining: Lease = { kind: "joining", incarnation: "a2" };
const held: Lease = { kind: "held", incarnation: "a1", validUntil: 20_000, failing: false };
const failing: Lease = { ...held, failing: true };
const lost: Lease = { kind: "lost", incarnation: "a1", why: "redis silent" };

const joined = (change: Partial<Extract<LeaseEvent, { type: "join-response" }>> = {}): LeaseEvent => ({
  type: "join-response",
  incarnation: "a2",
  joined: true,
  sentAt: 5_000,
  ...change,
});
const beat = (change: Partial<Extract<LeaseEvent, { type: "beat-response" }>> = {}): LeaseEvent => ({
  type: "beat-response",
  incarnation: "a1",
  good: true,
  sentAt: 6_000,
  ...change,
});
const failed: LeaseEvent = { type: "beat-failed", incarnation: "a1" };

describe("nextLease", () => {
  it.each<[string, Lease, LeaseEvent, number, Lease]>([
    ["a join goes out under a new incarnation", none, { type: "join-sent", incarnation: "a2" }, 0, joining],
    ["also after a loss", lost, { type: "join-sent", incarnation: "a2" }, 0, joining],
    [
      "also while the response to the last one is missing",
      { ...joining, incarnation: "a1" },
      { type: "join-sent", incarnation: "a2" },
      0,
      joining,
    ],
    [
      "it is held from the moment at which the join was sent",
      joining,
      joined(),
      9_000,
      { kind: "held", incarnation: "a2", validUntil: 5_000 + validityMs, failing: false },
    ],
    ["the name is taken: it waits", joining, joined({ joined: false }), 9_000, joining],
    ["a good beat carries it on from the moment at which it was sent", held, beat(), 7_000, { ...held, validUntil: 6_000 + validityMs }],
    ["and ends the failures", failing, beat(), 7_000, { ...held, validUntil: 6_000 + validityMs }],
    ["up to the last moment", held, beat(), 19_999, { ...held, validUntil: 6_000 + validityMs }],
    [
      "but does not revive it: others may have acted on the silence",
      held,
      beat(),
      20_000,
      { kind: "lost", incarnation: "a1", why: "validity ran out" },
    ],
    ["another process buried it", held, beat({ good: false }), 7_000, { kind: "lost", incarnation: "a1", why: "buried or replaced" }],
    [
      "also when it has run out as well",
      held,
      beat({ good: false }),
      30_000,
      { kind: "lost", incarnation: "a1", why: "buried or replaced" },
    ],
    ["a response after the loss changes nothing", lost, beat(), 30_000, lost],
    ["nor does a rejection", lost, beat({ good: false }), 30_000, lost],
    ["nor one of a former life", held, beat({ incarnation: "a0", good: false }), 7_000, held],
    ["Redis did not respond to a beat: it holds, and the beat is retried soon", held, failed, 7_000, failing],
    ["also when it has run out, for its end has a moment of its own", held, failed, 30_000, failing],
    ["a failure that comes after the loss changes nothing", lost, failed, 30_000, lost],
    ["its time is over", held, { type: "expiry" }, 20_000, { ...lost, why: "redis silent" }],
    ["the timer was early", held, { type: "expiry" }, 19_999, held],
    ["it was lost before", lost, { type: "expiry" }, 30_000, lost],
    ["the process leaves", held, { type: "left" }, 7_000, none],
  ])("%s", (_, before, event, now, after) => {
    expect(nextLease(before, event, now, defaultClusterTiming)).toEqual(after);
  });
});

describe("isValid", () => {
  it.each<[string, Lease, number, boolean]>([
    ["held, in time", held, 19_999, true],
    ["held, with failures", failing, 19_999, true],
    ["held, and its time is over", held, 20_000, false],
    ["joining", joining, 0, false],
    ["lost", lost, 0, false],
    ["none", none, 0, false],
  ])("%s", (_, lease, now, valid) => {
    expect(isValid(lease, now)).toBe(valid);
  });
});

describe("nextBeatMs", () => {
  it.each<[string, Lease, number]>([
    ["held", held, 3_000],
    ["held, without a response to the last beat", failing, 500],
    ["lost: it joins again", lost, 500],
    ["joining, while the name is taken", joining, 500],
  ])("%s", (_, lease, ms) => {
    expect(nextBeatMs(lease, defaultClusterTiming)).toBe(ms);
  });
  it("leaves time for several beats before the validity ends", () => {
    expect(validityMs - nextBeatMs(held, defaultClusterTiming)).toBeGreaterThan(4 * nextBeatMs(held, defaultClusterTiming));
  });
});

describe("toBury", () => {
  it.each<[string, Lease, string | undefined]>([
    ["a lost incarnation, so that no process waits for its expiry", lost, "a1"],
    ["an incarnation that may have joined although the response was lost", joining, "a2"],
    ["not a held one", held, undefined],
    ["nothing at the first start", none, undefined],
  ])("%s", (_, lease, incarnation) => {
    expect(toBury(lease)).toBe(incarnation);
  });
});
