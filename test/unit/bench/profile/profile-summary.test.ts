import { describe, expect, it } from "vitest";
import { summarizeProfile } from "../../../../bench/profile/profile-summary.js";

const frame = (functionName: string, url: string, lineNumber = 0) => ({ functionName, url, lineNumber, columnNumber: 0 });

describe("summarizeProfile", () => {
  const nodes = [
    { id: 1, callFrame: frame("(idle)", "") },
    { id: 2, callFrame: frame("encrypt", "file:///x/node_modules/@a/b/lib/c.js", 9) },
    { id: 3, callFrame: frame("", "file:///x/dist/shard/bus/lanes.js", 4) },
    { id: 4, callFrame: frame("(garbage collector)", "") },
    { id: 5, callFrame: frame("writev", "") },
    { id: 6, callFrame: frame("onread", "node:net") },
  ];
  const { seconds, busySeconds, modules, functions } = summarizeProfile("a shard", {
    nodes,
    samples: [1, 2, 2, 3, 4, 5, 6],
    timeDeltas: [500_000, 100_000, 100_000, 100_000, 80_000, 80_000, 40_000],
  });

  it("counts idling as no work", () => {
    expect(seconds).toBeCloseTo(1);
    expect(busySeconds).toBeCloseTo(0.5);
  });
  it("sums self times by package, folder and what has no file, largest first", () => {
    expect(modules.map(({ where, share }) => [where, Number(share.toFixed(2))])).toEqual([
      ["@a/b", 0.4],
      ["shard/bus", 0.2],
      ["(garbage collector)", 0.16],
      ["native code", 0.16],
      ["Node", 0.08],
    ]);
  });
  it("names functions by file and line", () => {
    expect(functions.slice(0, 2).map(({ where }) => where)).toEqual(["encrypt c.js:10", "(anonymous) lanes.js:5"]);
  });
});
