import { describe, expect, it } from "vitest";
import { EventParser, type ServerEvent } from "../../../../deploy/client/event-parser.js";

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

describe("a stream", () => {
  it.each([1, 2, 3, 7, 64, 10_000])("in pieces of %i characters gives the same events", (size) => {
    const parser = new EventParser("4-0");
    const events: ServerEvent[] = [];
    for (let at = 0; at < stream.length; at += size) events.push(...parser.push(stream.slice(at, at + size)));
    expect(events).toEqual(expected);
    // What was not ended counts for nothing: it comes again.
    expect([parser.lastId, parser.retryMs]).toEqual(["5-9", 2_000]);
  });

  it("goes on where it was told to, until something came", () => {
    const parser = new EventParser("4-0");
    expect([...parser.push("data: x\n")]).toEqual([]);
    expect(parser.lastId).toBe("4-0");
    expect([...parser.push("\n")]).toEqual([{ id: "4-0", type: "message", data: "x" }]);
  });

  it("that never ends an event is given up", () => {
    expect(() => [...new EventParser().push(`data: ${"x".repeat(2_000_000)}`)]).toThrow("an event is too long");
    expect(() => [...new EventParser().push("data: x\n".repeat(2_000))]).toThrow("an event is too long");
  });
});
