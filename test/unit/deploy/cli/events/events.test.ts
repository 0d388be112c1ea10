import { describe, expect, it } from "vitest";
import { fits, newsLine, type NewsFilter } from "../../../../../deploy/cli/events/news-filter.js";
import { EventReader, type ServerSentEvent } from "../../../../../deploy/cli/events/server-sent-events.js";

describe("a stream of events", () => {
  const read = (reader: EventReader, text: string): ServerSentEvent[] => text.split("\n").flatMap((line) => reader.take(line) ?? []);
  it("is read as browsers read it", () => {
    const reader = new EventReader();
    const events = read(
      reader,
      "retry: 500\nid: 1-0\n\nid: 2-0\nevent: session\ndata: {\ndata: }\n\n: heartbeat\nid: 3-0\n\ndata:x\n\nevent: none\n\n",
    );
    expect(events).toEqual([
      { id: "2-0", name: "session", data: "{\n}" },
      { id: "3-0", name: "message", data: "x" },
    ]);
    expect(reader).toMatchObject({ lastId: "3-0", retryMs: 500 });
  });
  it("goes on where it was told to", () => {
    const reader = new EventReader("7-0");
    expect(read(reader, "data: a\n\n")).toEqual([{ id: "7-0", name: "message", data: "a" }]);
  });
});

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
  it.each<[NewsFilter, boolean, boolean]>([
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
  expect([session, slots, load, deliveries, { id: "1", type: "missed", at: "T" }].map((news) => newsLine(news))).toEqual([
    "2026-11-22T10:00:00.000Z session  s1 telegram acme connected shard-1",
    "2026-11-22T10:00:00.000Z slots    shard-2 3 slots",
    "T load     shard-2 slots=7 sessions=90 drained=true",
    "T deliveries s1 telegram acme delivered=3 failed=1 dead=0 replayed=0 webhookLag=12",
    "T missed   events before this are not kept any more: lists say how things are",
  ]);
});
