import { describe, expect, it } from "vitest";
import { connectedAt } from "../../../../bench/growth/connect-queue.js";

describe("connectedAt", () => {
  it.each([
    ["one after the other at the pace of the limiter", [0, 0, 0], { inProgress: 20, perSecond: 50, connectMs: 100 }, [100, 120, 140]],
    [
      "no more at once than may be in progress",
      [0, 0, 0, 0],
      { inProgress: 2, perSecond: 1_000, connectMs: 500 },
      [500, 501, 1_000, 1_001],
    ],
    ["none before it may", [0, 5_000], { inProgress: 20, perSecond: 50, connectMs: 100 }, [100, 5_100]],
    ["none at all", [], { inProgress: 20, perSecond: 50, connectMs: 100 }, []],
  ])("%s", (_, readyAt, pace, expected) => {
    expect(connectedAt(readyAt, pace)).toEqual(expected);
  });
});
