import { describe, expect, it } from "vitest";
import { EventStreamParser } from "../../../../../router/console/app/live/event-stream.js";
import { reconnectDelay } from "../../../../../router/console/app/live/reconnect-delay.js";
import { endFrame, heartbeatFrame, newsFrame, openingFrame } from "../../../../../router/news/news-frame.js";

/** What the router sends, as it makes it. */
const news = newsFrame("7-0", { type: "slots", at: "2026-01-01T00:00:00.000Z", member: "shard-1", slots: [1, 2] });
const stream = openingFrame("5-0", 1_500) + heartbeatFrame("6-0") + news + endFrame("router stops");

describe("a stream of events", () => {
  it("is read as the router writes it: events, positions, and how long to wait", () => {
    const { events, position, retryMs } = new EventStreamParser().push(stream);
    expect(events).toEqual([
      { id: "7-0", type: "slots", data: JSON.stringify({ at: "2026-01-01T00:00:00.000Z", member: "shard-1", slots: [1, 2] }) },
      { id: "7-0", type: "end", data: JSON.stringify({ reason: "router stops" }) },
    ]);
    expect([position, retryMs]).toEqual(["7-0", 1_500]);
  });

  it.each([1, 2, 3, 7, 50])("is the same in pieces of %i characters", (size) => {
    const parser = new EventStreamParser();
    const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) => parser.push(stream.slice(i * size, (i + 1) * size)));
    expect(pieces.flatMap(({ events }) => events)).toEqual(new EventStreamParser().push(stream).events);
    // Of several in one piece the last one counts.
    expect(pieces.flatMap(({ position }) => position ?? []).at(-1)).toBe("7-0");
    if (size < 10) expect(pieces.flatMap(({ position }) => position ?? [])).toEqual(["5-0", "6-0", "7-0"]);
  });

  it("tells a position also where no event comes with it, and none where none was told", () => {
    const parser = new EventStreamParser();
    expect(parser.push(": heartbeat\nid: 9-1\n\n")).toEqual({ events: [], position: "9-1", retryMs: undefined });
    expect(parser.push(": heartbeat\n\n").position).toBeUndefined();
  });

  it("takes every end of a line, also one that is cut in two, and joins the lines of one event", () => {
    const parser = new EventStreamParser();
    expect(parser.push("event: a\r").events).toEqual([]);
    expect(parser.push("\ndata: 1\rdata: 2\n\r\n").events).toEqual([{ id: "", type: "a", data: "1\n2" }]);
  });

  it("ends when an event has no end", () => {
    const parser = new EventStreamParser();
    parser.push("data: ");
    expect(() => parser.push("x".repeat(1_000_001))).toThrow("no end");
  });
});

describe("the wait before a stream is opened again", () => {
  it.each([
    [0, undefined, 0.5, 1_000],
    [0, 2_500, 0.5, 2_500],
    [1, undefined, 0.5, 2_000],
    [3, 1_500, 0.5, 12_000],
    [50, 3_000, 0.5, 30_000],
    [0, 1, 0, 750],
    [0, 1, 1, 1_250],
  ])("after %i failures, asked for %s: %s", (failures, asked, spread, expected) => {
    expect(reconnectDelay(failures, asked, spread)).toBe(expected);
  });
});
