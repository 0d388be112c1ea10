import { describe, expect, it } from "vitest";
import { endFrame, heartbeatFrame, eventFrame, openingFrame } from "../../../../router/admin/live-events/event-frame.js";
import { EventParser, type ServerEvent } from "../../../../shared/flow/event-parser.js";

const stream = [
  "retry: 2000\nid: 5-0\n\n",
  'id: 5-1\nevent: session\ndata: {"state":"connected"}\n\n',
  ": heartbeat\nid: 5-7\n\n",
  "data: a\ndata:b\ndata\n\n",
  "event: end\r\ndata: x\r\n\r\n",
  "id: 5-9\nevent: nothing\n\n",
  "id: 6-0\ndata: not ended",
].join("");

const expected: ServerEvent[] = [
  { id: "5-1", type: "session", data: '{"state":"connected"}' },
  { id: "5-7", type: "message", data: "a\nb\n" },
  { id: "5-7", type: "end", data: "x" },
];

/** The stream as the router sends it. */
const frame = eventFrame("7-0", { type: "slots", at: "2026-01-01T00:00:00.000Z", member: "shard-1", slots: [1, 2] });
const ofRouter = openingFrame("5-0", 1_500) + heartbeatFrame("6-0") + frame + endFrame("router stops");

/** Returns the events, and the position after each piece. */
function read(text: string, size: number, parser = new EventParser()): { events: ServerEvent[]; positions: string[] } {
  const [events, positions]: [ServerEvent[], string[]] = [[], []];
  for (let at = 0; at < text.length; at += size) {
    events.push(...parser.push(text.slice(at, at + size)));
    positions.push(parser.lastId);
  }
  return { events, positions };
}

describe("a stream", () => {
  it.each([1, 2, 3, 7, 64, 10_000])("in pieces of %i characters gives the same events", (size) => {
    const parser = new EventParser("4-0");
    expect(read(stream, size, parser).events).toEqual(expected);
    // The unfinished event is ignored, because the stream sends it again.
    expect([parser.lastId, parser.retryMs]).toEqual(["5-9", 2_000]);
  });

  it("is read as the router writes it: events, positions, and how long to wait", () => {
    const parser = new EventParser();
    expect([...parser.push(ofRouter)]).toEqual([
      { id: "7-0", type: "slots", data: JSON.stringify({ at: "2026-01-01T00:00:00.000Z", member: "shard-1", slots: [1, 2] }) },
      { id: "7-0", type: "end", data: JSON.stringify({ reason: "router stops" }) },
    ]);
    expect([parser.lastId, parser.retryMs]).toEqual(["7-0", 1_500]);
  });

  it.each([1, 2, 3, 7, 50])("of the router is the same in pieces of %i characters", (size) => {
    const { events, positions } = read(ofRouter, size);
    expect(events).toEqual(read(ofRouter, 10_000).events);
    // If one piece has several ids, the last one counts.
    expect(positions.at(-1)).toBe("7-0");
    if (size < 10) expect([...new Set(positions)]).toEqual(["", "5-0", "6-0", "7-0"]);
  });

  it("reads a position without an event, and keeps it for events without one", () => {
    const parser = new EventParser();
    expect([...parser.push(": heartbeat\nid: 9-1\n\n")]).toEqual([]);
    expect([parser.lastId, parser.retryMs]).toEqual(["9-1", undefined]);
    expect([...parser.push(": heartbeat\n\n")]).toEqual([]);
    expect(parser.lastId).toBe("9-1");
  });

  it("resumes at the given position until an event arrives", () => {
    const parser = new EventParser("4-0");
    expect([...parser.push("data: x\n")]).toEqual([]);
    expect(parser.lastId).toBe("4-0");
    expect([...parser.push("\n")]).toEqual([{ id: "4-0", type: "message", data: "x" }]);
  });

  it("is read as browsers read it: any end of a line, also one that is cut in two, and the lines of one event joined", () => {
    const parser = new EventParser();
    expect([...parser.push("event: a\r")]).toEqual([]);
    expect([...parser.push("\ndata: 1\rdata: 2\n\r\n")]).toEqual([{ id: "", type: "a", data: "1\n2" }]);
    const events = parser.push(
      "retry: 500\nid: 1-0\n\nid: 2-0\nevent: session\ndata: {\ndata: }\n\n: heartbeat\nid: 3-0\n\ndata:x\n\nevent: none\n\n",
    );
    expect([...events]).toEqual([
      { id: "2-0", type: "session", data: "{\n}" },
      { id: "3-0", type: "message", data: "x" },
    ]);
    expect(parser).toMatchObject({ lastId: "3-0", retryMs: 500 });
  });

  it("that never ends an event is given up", () => {
    expect(() => [...new EventParser().push(`data: ${"x".repeat(2_000_000)}`)]).toThrow("an event is too long");
    expect(() => [...new EventParser().push("data: x\n".repeat(2_000))]).toThrow("an event is too long");
    const parser = new EventParser();
    expect([...parser.push("data: ")]).toEqual([]);
    expect(() => [...parser.push("x".repeat(1_000_001))]).toThrow("an event is too long");
  });
});
