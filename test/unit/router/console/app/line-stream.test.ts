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
])("lines come out whole, however they were cut: %j", (pieces, expected) => {
  const splitter = new LineSplitter();
  expect(pieces.flatMap((piece) => splitter.push(piece))).toEqual(expected);
});

it("a line that does not end is refused", () => {
  const splitter = new LineSplitter();
  expect(() => splitter.push("x".repeat(1_000_001))).toThrow("interrupted");
});

it("a run over many sessions counts what is done, what failed and what is left", () => {
  let run = withLine({ total: 3, lines: new Map() }, { id: "a", status: 200, outcome: {} });
  run = withLine(run, { id: "b", status: 409, message: "session lives" });
  expect(bulkCounts(run)).toEqual({ done: 1, failed: 1, left: 1 });
  expect([...run.lines.values()].map(lineText)).toEqual(["Done", "409: session lives"]);
});

it("of many sessions those are kept whose events have waited the longest", async () => {
  async function* many(): AsyncGenerator<{ webhookLag: number }> {
    for (let lag = 0; lag < 50; lag++) yield await Promise.resolve({ webhookLag: (lag * 7) % 50 });
  }
  expect(await keepWorst(many(), 3)).toEqual({ rows: [{ webhookLag: 49 }, { webhookLag: 48 }, { webhookLag: 47 }], seen: 50 });
});
