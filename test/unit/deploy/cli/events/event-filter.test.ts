import { describe, expect, it } from "vitest";
import { fits, eventLine, type EventFilter } from "../../../../../deploy/cli/events/event-filter.js";

const session = {
  id: "1-0",
  type: "session",
  at: "2026-11-22T10:00:00.000Z",
  session: "s1",
  platform: "telegram",
  tenant: "acme",
  state: "connected",
  member: "shard-1",
};
const slots = { id: "2-0", type: "slots", at: "2026-11-22T10:00:00.000Z", member: "shard-2", slots: [1, 2, 3] };

describe("a filter", () => {
  it.each<[EventFilter, boolean, boolean]>([
    [{}, true, true],
    [{ type: "session" }, true, false],
    [{ session: "s1" }, true, false],
    [{ session: "s2" }, false, false],
    [{ member: "shard-2" }, false, true],
    [{ tenant: "acme", state: "connected" }, true, false],
    [{ tenant: "acme", state: "disconnected" }, false, false],
  ])("%j lets through a session's state: %j, and slots: %j", (filter, one, other) => {
    expect([fits(session, filter), fits(slots, filter)]).toEqual([one, other]);
  });
  it("always lets through that something is missing", () => {
    expect(fits({ id: "1", type: "missed", at: "" }, { session: "s1" })).toBe(true);
  });
});

const load = { id: "3-0", type: "load", at: "T", member: "shard-2", slots: 7, sessions: 90, drained: true };
const counts = { delivered: 3, failed: 1, dead: 0, replayed: 0, webhookLag: 12 };
const deliveries = { id: "4-0", type: "deliveries", at: "T", session: "s1", platform: "telegram", tenant: "acme", ...counts };

it("is a line for people", () => {
  expect([session, slots, load, deliveries, { id: "1", type: "missed", at: "T" }].map((event) => eventLine(event))).toEqual([
    "2026-11-22T10:00:00.000Z session  s1 telegram acme connected shard-1",
    "2026-11-22T10:00:00.000Z slots    shard-2 3 slots",
    "T load     shard-2 slots=7 sessions=90 drained=true",
    "T deliveries s1 telegram acme delivered=3 failed=1 dead=0 replayed=0 webhookLag=12",
    "T missed   earlier events are no longer stored; use status or session list for the current state",
  ]);
});
