import { expect, it } from "vitest";
import { LineSplitter } from "../../../../../router/console/app/api/line-splitter.js";
import { bulkCounts, lineText, withLine } from "../../../../../router/console/app/pages/bulk/bulk-run.js";
import { keepWorst } from "../../../../../router/console/app/pages/webhooks/keep-worst.js";

it.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b\nc", "\n"],
    ["ab", "c"],
  ],
  [["\n\na\n"], ["a"]],
  [["a\nwithout an end"], ["a"]],
])("joins lines that arrive in pieces: %j", (pieces, expected) => {
  const splitter = new LineSplitter();
  expect(pieces.flatMap((piece) => splitter.push(piece))).toEqual(expected);
});

it("rejects a line without an end", () => {
  const splitter = new LineSplitter();
  expect(() => splitter.push("x".repeat(1_000_001))).toThrow("interrupted");
});

it("counts the done, failed and remaining sessions of a bulk action", () => {
  let run = withLine({ total: 3, lines: new Map() }, { id: "a", status: 200, outcome: {} });
  run = withLine(run, { id: "b", status: 409, message: "session lives" });
  expect(bulkCounts(run)).toEqual({ done: 1, failed: 1, left: 1 });
  expect([...run.lines.values()].map(lineText)).toEqual(["Done", "409: session lives"]);
});

it("keeps the sessions with the longest webhook delay", async () => {
  async function* many(): AsyncGenerator<{ webhookLag: number }> {
    for (let lag = 0; lag < 50; lag++) yield await Promise.resolve({ webhookLag: (lag * 7) % 50 });
  }
  expect(await keepWorst(many(), 3)).toEqual({ rows: [{ webhookLag: 49 }, { webhookLag: 48 }, { webhookLag: 47 }], seen: 50 });
});
