import { describe, expect, it, test } from "vitest";
import type { Outcome } from "../../../../shared/bus/envelope.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { newCall, outcomeOf, type Call, type CallEvent, type CallState } from "../../../../router/bus/call.js";
import { nextCall } from "../../../../router/bus/next-call.js";

const ownerOf = (member: string, token: string): SlotOwner => ({ member, incarnation: "i", token: token as SlotToken, state: "held" });
const a = ownerOf("a", "1");
const b = ownerOf("b", "2");
const ok: Outcome = { kind: "ok", output: { statusId: "5" } };
const busy: Outcome = { kind: "error", status: 503, message: "server busy", retryAfterSeconds: 1 };
const unavailable: Outcome = { ...busy, message: "storage unavailable" };
const givenUp: Outcome = { kind: "error", status: 500, message: "internal server error" };
const unsent: Outcome = { kind: "error", status: 500, message: "session not connected" };
const full: Outcome = { ...busy, refused: true };

const sentTo = (to: SlotOwner, entry: string): CallEvent => ({ type: "sent", to, entry });
const toA = sentTo(a, "1-0");
const againToB: CallEvent = { type: "sent-again", to: b, entry: "2-0" };
const gone = (entry: string, now = 10): CallEvent => ({ type: "entry-gone", entry, now });

const callOf = (state: CallState, more: Partial<Call> = {}): Call => ({ ...newCall(false, 0), state, ...more });
const finding: CallState = { kind: "finding-owner", since: 0, unsure: false, refused: false };
const waiting: CallState = { kind: "waiting-for-owner", since: 0, unsure: false, pauseMs: 50 };
const sent: CallState = { kind: "sent", since: 0 };
const moved: CallState = { kind: "moved", pauseMs: 50 };
const over: CallState = { kind: "answered", outcome: ok };
const expired: CallState = { kind: "expired" };

const notSent = (why: "BUSY" | "NOMEMBER" | "NOREDIS" | "UNSURE", now: number, crowded = false): CallEvent => ({
  type: "not-sent",
  why,
  crowded,
  now,
});
const reply = (outcome: Outcome, attempt?: number, now = 10): CallEvent => ({ type: "reply", outcome, attempt, now });
const tried = (call: Call, ...events: CallEvent[]): Call => events.reduce(nextCall, call);

describe("a call whose owner is being read", () => {
  it.each<[string, Partial<Call>, CallEvent, CallState]>([
    ["is sent to it", {}, toA, sent],
    ["waits when there is none", {}, notSent("NOMEMBER", 10), waiting],
    ["waits longer for Redis", {}, notSent("NOREDIS", 10), { ...waiting, pauseMs: 250 }],
    ["waits longer for room", {}, notSent("BUSY", 10), { ...waiting, pauseMs: 250 }],
    ["waits and remembers that Redis may have it", {}, notSent("UNSURE", 10), { ...waiting, pauseMs: 250, unsure: true }],
    ["finds no room, and its session has too many here", {}, notSent("BUSY", 10, true), { kind: "answered", outcome: busy }],
    ["may wait for Redis however many its session has here", {}, notSent("NOREDIS", 10, true), { ...waiting, pauseMs: 250 }],
    ["waits on without an owner", {}, notSent("NOMEMBER", 60_000), waiting],
    [
      "is told to come again, where it would create what has no owner",
      { creates: true },
      notSent("NOMEMBER", 5_000),
      { kind: "answered", outcome: busy },
    ],
    [
      "is told to come again, where its owner was missing only at the end of a wait for Redis",
      { heldUp: true },
      notSent("NOMEMBER", 5_000),
      { kind: "answered", outcome: busy },
    ],
    ["gives up after 5 s without room", {}, notSent("BUSY", 5_000), { kind: "answered", outcome: busy }],
    ["gives up after 5 s without Redis", {}, notSent("NOREDIS", 5_000), { kind: "answered", outcome: unavailable }],
    ["never gives up what Redis may have", {}, notSent("UNSURE", 60_000), { ...waiting, pauseMs: 250, unsure: true }],
    ["never gives up what may have been done", { begun: true }, notSent("NOMEMBER", 60_000), waiting],
    ["waits for room with what may have been done", { begun: true }, notSent("BUSY", 60_000, true), { ...waiting, pauseMs: 250 }],
    [
      "gives up a read that may have been done, without room",
      { begun: true, isRead: true },
      notSent("BUSY", 5_000),
      { kind: "answered", outcome: busy },
    ],
    ["is told to come again, where its time ends without an owner", {}, { type: "time-over" }, { kind: "answered", outcome: busy }],
    ["ends with its time, where Redis may have it", {}, { type: "time-over", wasSent: true }, expired],
    ["ends with its time, where it may have been done", { begun: true }, { type: "time-over" }, expired],
    ["ends with the router", {}, { type: "router-stops" }, { kind: "answered", outcome: busy }],
    ["takes an answer to what Redis had after all", {}, reply(ok, 0), over],
    ["knows that Redis had it when it is refused", {}, reply({ kind: "moved" }, 0), { ...finding, refused: true }],
    ["is not hurried by a pause of before", {}, { type: "pause-over", now: 10 }, finding],
  ])("%s", (_, more, event, state) => {
    expect(nextCall(callOf(finding, more), event).state).toEqual(state);
  });
  it.each<["NOREDIS" | "BUSY" | "UNSURE" | "NOMEMBER", boolean]>([
    ["NOREDIS", true],
    ["BUSY", true],
    ["UNSURE", true],
    ["NOMEMBER", false],
  ])("that waited after %s was held up: %s", (why, heldUp) => {
    const events: CallEvent[] = [notSent(why, 10), { type: "pause-over", now: 4_000 }, notSent("NOMEMBER", 4_010)];
    expect(tried(callOf(finding), ...events)).toMatchObject({ state: waiting, heldUp });
  });
  it.each<[string, CallEvent]>([
    ["it had gone out", toA],
    ["it had not", notSent("NOMEMBER", 20)],
  ])("is sent again when it was refused meanwhile, and %s", (_, event) => {
    const call = tried(callOf(finding), reply({ kind: "moved" }, 0), event);
    expect(call).toMatchObject({ state: moved, at: undefined });
    expect(nextCall(call, { type: "pause-over", now: 70 })).toMatchObject({ state: { kind: "finding-owner", since: 70 }, attempt: 1 });
  });
  it("goes on after a pause, from the same beginning", () => {
    const unsure: CallState = { ...waiting, since: 3, unsure: true };
    expect(nextCall(callOf(unsure), { type: "pause-over", now: 60 })).toMatchObject({
      state: { kind: "finding-owner", since: 3, unsure: true, refused: false },
      attempt: 0,
    });
  });
  it("knows in whose stream it stands", () => {
    expect(nextCall(callOf(finding), toA)).toMatchObject({ at: a, entry: "1-0" });
  });
});

describe("a call that was sent", () => {
  const inA = { at: a };
  it.each<[string, Partial<Call>, CallEvent, Partial<Call>]>([
    ["is answered", inA, reply(ok, 0), { state: over }],
    ["is answered by a shard that does not tell which try", inA, reply(ok), { state: over }],
    ["is answered by the try before", { ...inA, attempt: 1 }, reply(ok, 0), { state: over }],
    ["is refused for its session's load", inA, reply(full, 0), { state: { kind: "answered", outcome: full } }],
    ["is not refused by the try before", { ...inA, attempt: 1 }, reply(full, 0), { state: sent }],
    ["is not reported as unsent by the try before", { ...inA, attempt: 1 }, reply(unsent, 0), { state: sent }],
    ["is reported as unsent by the last try", { ...inA, attempt: 1 }, reply(unsent, 1), { state: { kind: "answered", outcome: unsent } }],
    ["is answered by a shard without Redis", inA, reply(unavailable, 0), { state: { kind: "answered", outcome: unavailable } }],
    [
      "gets no 503 from a shard without Redis after an earlier owner may have begun it",
      { ...inA, attempt: 1, begun: true },
      reply(unavailable, 1),
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "is answered by a shard without Redis if it is a read, whatever had begun",
      { ...inA, attempt: 1, begun: true, isRead: true },
      reply(unavailable, 1),
      { state: { kind: "answered", outcome: unavailable } },
    ],
    ["moves", inA, reply({ kind: "moved" }, 0), { state: moved, at: undefined, begun: false, movedSince: 10 }],
    ["moves, and may have been done", inA, reply({ kind: "moved", begun: true }, 0), { state: moved, begun: true }],
    [
      "moves, and may have been done without a record",
      inA,
      reply({ kind: "moved", begun: true, unrecorded: true }, 0),
      { state: moved, begun: true, unrecorded: true },
    ],
    [
      "moves again, and stays without a record of its first try",
      { ...inA, attempt: 1, begun: true, unrecorded: true },
      reply({ kind: "moved", begun: true }, 1),
      { state: moved, begun: true, unrecorded: true },
    ],
    [
      "moves before it had begun, and has a record to come",
      inA,
      reply({ kind: "moved" }, 0),
      { state: moved, begun: false, unrecorded: false },
    ],
    ["does not move by the try before", { ...inA, attempt: 1 }, reply({ kind: "moved" }, 0), { state: sent, at: a }],
    ["learns from the try before", { ...inA, attempt: 1 }, reply({ kind: "moved", begun: true }, 0), { state: sent, begun: true }],
    ["ends with its time", inA, { type: "time-over" }, { state: expired, at: a }],
    [
      "ends when the shard says that its time is over",
      inA,
      reply({ kind: "expired" }, 0),
      { state: { kind: "answered", outcome: { kind: "expired" } } },
    ],
    [
      "is another try for the next owner",
      inA,
      { type: "owner-seen", owner: b, previous: a },
      { state: sent, attempt: 1, at: a, begun: false },
    ],
    ["is none for the same owner", inA, { type: "owner-seen", owner: a, previous: a }, { attempt: 0 }],
    ["is none when it was sent elsewhere meanwhile", { at: b }, { type: "owner-seen", owner: b, previous: a }, { attempt: 0 }],
    [
      "stops after twelve owners",
      { ...inA, owners: 12 },
      { type: "owner-seen", owner: b, previous: a },
      { state: { kind: "answered", outcome: givenUp } },
    ],
    ["may have been done by the owner before", inA, againToB, { state: sent, at: b, owners: 2, begun: true }],
  ])("%s", (_, more, event, expected) => {
    expect(nextCall(callOf(sent, more), event)).toMatchObject(expected);
  });
  it("waits as long as it may while its session's owners refuse it; one that makes a session is refused after 5 s", () => {
    const refusing = (since: number, more: Partial<Call>): Call =>
      nextCall(callOf({ kind: "sent", since }, { at: a, ...more }), reply({ kind: "moved" }, 0, since + 10));
    expect(refusing(60_000, { movedSince: 1_000 }).state).toEqual(moved);
    expect(refusing(60_000, { movedSince: 1_000, isRead: true }).state).toEqual(moved);
    expect(refusing(6_000, { creates: true, movedSince: 1_000 }).state).toEqual({ kind: "answered", outcome: busy });
    expect(refusing(6_000, { creates: true, movedSince: 1_010 }).state).toEqual(moved);
    expect(refusing(6_000, { creates: true, movedSince: 1_000, begun: true }).state).toEqual(moved);
  });
  it("counts anew when an owner had kept it for longer than that", () => {
    const call = callOf({ kind: "sent", since: 2_000 }, { at: a, movedSince: 1_000 });
    expect(nextCall(call, reply({ kind: "moved" }, 0, 7_001))).toMatchObject({ state: moved, movedSince: 7_001 });
  });
});

describe("a call of which Redis has lost something", () => {
  const inA = { at: a, entry: "1-0" };
  const asked = { ...inA, isOnce: true };
  it.each<[string, CallState, Partial<Call>, CallEvent, Partial<Call>]>([
    [
      "is asked again when its entry has gone, and may have been done",
      sent,
      inA,
      gone("1-0"),
      { state: { ...finding, since: 10 }, attempt: 1, owners: 2, begun: true, at: undefined },
    ],
    ["is not when that was the entry of the try before", sent, inA, gone("0-9"), { state: sent, attempt: 0, at: a }],
    ["is not when it goes elsewhere already", moved, inA, gone("1-0"), { state: moved, attempt: 0 }],
    [
      "stops when that has happened twelve times",
      sent,
      { ...inA, owners: 12 },
      gone("1-0"),
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "may be asked again although the stream of replies was lost, if its platform knows a repeat",
      sent,
      inA,
      { type: "stream-lost" },
      { recordLost: false },
    ],
    [
      "waits for the shard that may have begun what must not happen twice",
      sent,
      asked,
      { type: "stream-lost" },
      { state: sent, recordLost: true },
    ],
    [
      "is given up when that one says it had begun",
      sent,
      { ...asked, recordLost: true },
      reply({ kind: "moved", begun: true }, 0),
      { state: { kind: "answered", outcome: givenUp } },
    ],
    ["goes on when that one says it had not", sent, { ...asked, recordLost: true }, reply({ kind: "moved" }, 0), { state: moved }],
    [
      "is given up when that one is gone",
      sent,
      { ...asked, recordLost: true },
      { type: "owner-seen", owner: b, previous: a },
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "is given up when its entry has gone too",
      sent,
      { ...asked, recordLost: true },
      gone("1-0"),
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "is given up at once between two owners",
      moved,
      { isOnce: true, begun: true },
      { type: "stream-lost" },
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "is given up at once when Redis may have had it",
      { ...waiting, unsure: true },
      { isOnce: true },
      { type: "stream-lost" },
      { state: { kind: "answered", outcome: givenUp } },
    ],
    ["goes out when nobody has had it", waiting, { isOnce: true }, { type: "stream-lost" }, { state: waiting }],
    ["is answered when it is", sent, { ...asked, recordLost: true }, reply(ok, 0), { state: over }],
    [
      "may be at work, and is given up when all is lost",
      sent,
      inA,
      { type: "redis-emptied" },
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "may have been done, and is given up when all is lost",
      moved,
      { begun: true },
      { type: "redis-emptied" },
      { state: { kind: "answered", outcome: givenUp } },
    ],
    [
      "is told to come again when all is lost, as a read",
      sent,
      { ...inA, isRead: true },
      { type: "redis-emptied" },
      { state: { kind: "answered", outcome: unavailable } },
    ],
    [
      "is told to come again when all is lost before anybody had it",
      waiting,
      {},
      { type: "redis-emptied" },
      { state: { kind: "answered", outcome: unavailable } },
    ],
  ])("%s", (_, state, more, event, expected) => {
    expect(nextCall(callOf(state, more), event)).toMatchObject(expected);
  });
});

describe("a call whose owner refused it", () => {
  it.each<[string, CallEvent, Partial<Call>]>([
    ["looks for the next one, as another try", { type: "pause-over", now: 60 }, { state: { ...finding, since: 60 }, attempt: 1 }],
    ["is answered by what comes meanwhile", reply(ok, 0), { state: over }],
    ["is refused once", reply({ kind: "moved" }, 0), { state: moved, attempt: 0 }],
    ["learns that it had begun", reply({ kind: "moved", begun: true }, 0), { state: moved, begun: true }],
    ["is nobody's", { type: "owner-seen", owner: b, previous: a }, { state: moved, attempt: 0 }],
    ["was with the next owner already, and may have been done there", againToB, { state: moved, at: undefined, owners: 2, begun: true }],
    ["is told to come again when its time ends", { type: "time-over" }, { state: { kind: "answered", outcome: busy } }],
  ])("%s", (_, event, expected) => {
    expect(nextCall(callOf(moved), event)).toMatchObject(expected);
  });
});

describe("a call that is over", () => {
  it.each<[string, CallState, CallEvent]>([
    ["a second reply", over, reply(busy, 0)],
    ["the end of its time", over, { type: "time-over" }],
    ["the end of the router", expired, { type: "router-stops" }],
    ["a late reply", expired, reply(ok, 0)],
    ["the next owner", over, { type: "owner-seen", owner: b, previous: a }],
    ["the end of a pause", over, { type: "pause-over", now: 10 }],
    ["a refusal to take it", expired, notSent("BUSY", 10)],
  ])("stays as it is: %s", (_, state, event) => {
    const call = callOf(state);
    expect(nextCall(call, event)).toBe(call);
  });
  it("knows in whose stream it came to stand, so that it can be cancelled there", () => {
    expect(nextCall(callOf(expired), toA)).toMatchObject({ state: expired, at: a });
  });
  it.each<[CallState, Outcome | undefined]>([
    [over, ok],
    [expired, { kind: "expired" }],
    [sent, undefined],
    [moved, undefined],
    [finding, undefined],
    [waiting, undefined],
  ])("has an outcome: %o", (state, outcome) => {
    expect(outcomeOf(callOf(state))).toEqual(outcome);
  });
});

test("in any order of events a call has one outcome, and none that denies what may have been done", () => {
  const wrong: string[] = [];
  for (let seed = 1; seed <= 300; seed += 1) {
    let random = seed;
    const below = (count: number): number => (random = (random * 48_271) % 2_147_483_647) % count;
    const movedBy = (chance: number): Outcome =>
      chance === 3 ? { kind: "moved", begun: true, unrecorded: true } : { kind: "moved", begun: chance === 0 };
    const anEvent = (call: Call, now: number): CallEvent =>
      [
        below(2) === 0 ? toA : sentTo(b, "2-0"),
        notSent((["BUSY", "NOMEMBER", "NOREDIS", "UNSURE"] as const)[below(4)] ?? "BUSY", now, below(2) === 0),
        { type: "pause-over", now } as const,
        reply(below(5) === 0 ? unavailable : movedBy(below(4)), Math.max(0, call.attempt - below(2)), now),
        { type: "owner-seen", owner: b, previous: call.at ?? a } as const,
        againToB,
        below(4) === 0 ? gone(call.entry ?? "", now) : ({ type: "pause-over", now } as const),
        below(20) === 0 ? ({ type: "stream-lost" } as const) : ({ type: "pause-over", now } as const),
        below(20) === 0 ? reply(ok, below(call.attempt + 1), now) : ({ type: "pause-over", now } as const),
      ][below(9)] ?? { type: "time-over" };
    let call = newCall(seed % 3 === 0, 0, { isOnce: seed % 3 === 1 });
    for (let now = 0; now < 60_000; now += below(1_000)) {
      const event = anEvent(call, now);
      const next = nextCall(call, event);
      const [before, after] = [outcomeOf(call), outcomeOf(next)];
      if (next.attempt < call.attempt) wrong.push(`seed ${seed}: attempt ${next.attempt} after ${call.attempt}`);
      if (call.begun && !next.begun) wrong.push(`seed ${seed}: not begun any more`);
      if (call.unrecorded && !next.unrecorded) wrong.push(`seed ${seed}: on record after all`);
      if (before !== undefined && after !== before) wrong.push(`seed ${seed}: another outcome`);
      if (before === undefined && after !== undefined && call.begun && !call.isRead) expect([ok, givenUp]).toContainEqual(after);
      call = next;
    }
  }
  expect(wrong).toEqual([]);
});
