import { describe, expect, test } from "vitest";
import type { Change } from "../../../../../shard/telegram/updates/change.js";
import { ChannelPositions } from "../../../../../shard/telegram/updates/channel-positions.js";

const [square, daily] = ["-1001900000003", "-1001900000013"];
const gapMs = 500;
const change = (id: number): readonly Change[] => [{ kind: "deleted", ids: [id], date: 1, own: false, chat: square }];
const update = (pts: number, count = 1) => ({ pts, count, item: change(pts) });
const idsOf = (changes: readonly Change[]): number[] => changes.flatMap((one) => (one.kind === "deleted" ? one.ids : []));

function following(pts: number): ChannelPositions {
  const positions = new ChannelPositions();
  positions.open(square, { pts, newest: 0 });
  return positions;
}

describe("the updates of a channel", () => {
  test("are applied in order, and its position is to be stored", () => {
    const positions = following(10);
    expect(idsOf(positions.apply(square, update(11), 0))).toEqual([11]);
    expect(positions.apply(square, update(11), 0)).toEqual([]);
    expect([...positions.takeMoved()]).toEqual([[square, { pts: 11, newest: 0 }]]);
    expect(positions.takeMoved().size).toBe(0);
  });

  test("wait for earlier ones, and the difference is due after the gap's time", () => {
    const positions = following(10);
    expect(positions.apply(square, update(12), 1_000)).toEqual([]);
    expect(positions.isWaiting(square)).toBe(true);
    expect(positions.due(1_200, gapMs)).toEqual({ channel: square, waitMs: 300 });
    expect(idsOf(positions.apply(square, update(11), 1_300))).toEqual([11, 12]);
    expect(positions.due(9_999, gapMs)).toBeUndefined();
  });

  test("of one channel do not wait for those of another", () => {
    const positions = following(10);
    positions.open(daily, { pts: 5, newest: 0 });
    positions.apply(square, update(12), 0);
    expect(idsOf(positions.apply(daily, update(6), 0))).toEqual([6]);
    expect(positions.due(0, gapMs)?.channel).toBe(square);
  });

  test("continue behind the difference, without repeats", () => {
    const positions = following(10);
    positions.apply(square, update(12), 0);
    positions.apply(square, update(14), 0);
    expect(idsOf(positions.moveTo(square, { pts: 13, newest: 40 }))).toEqual([14]);
    expect(positions.filled(square, 0)).toEqual([]);
    expect(positions.positionOf(square)).toEqual({ pts: 14, newest: 40 });
    expect(positions.due(9_999, gapMs)).toBeUndefined();
  });

  test("are applied despite a gap that five differences did not close", () => {
    const positions = following(10);
    positions.apply(square, update(12), 0);
    const tries = Array.from({ length: 5 }, () => idsOf(positions.filled(square, 0)));
    expect(tries).toEqual([[], [], [], [], [12]]);
    expect(positions.positionOf(square)?.pts).toBe(12);
  });
});

test("a refused difference is due again later, and a demanded one at once", () => {
  const positions = following(10);
  positions.demand(square);
  expect(positions.due(0, gapMs)).toEqual({ channel: square, waitMs: 0 });
  positions.failed(square, 1_000, 10_000);
  expect(positions.due(1_000, gapMs)?.waitMs).toBe(10_000);
  positions.demand(square);
  expect(positions.due(2_000, gapMs)?.waitMs).toBe(9_000);
  expect(positions.due(11_000, gapMs)?.waitMs).toBe(0);
});

test("a demanded difference stays due when updates come meanwhile, until it was read", () => {
  const positions = following(10);
  positions.demand(square);
  positions.apply(square, update(10), 0);
  expect(idsOf(positions.apply(square, update(11), 0))).toEqual([11]);
  expect(positions.due(0, gapMs)).toEqual({ channel: square, waitMs: 0 });
  positions.moveTo(square, { pts: 11, newest: 0 });
  positions.filled(square, 0);
  expect(positions.due(0, gapMs)).toBeUndefined();
});

test("updates beyond the 500 that wait are left to the difference, which is not due before a refusal's time", () => {
  const positions = following(10);
  positions.apply(square, update(12), 0);
  positions.failed(square, 0, 60_000);
  for (let pts = 13; pts < 512; pts += 1) positions.apply(square, update(pts), 1);
  expect([positions.isWaiting(square), positions.due(1, gapMs)?.waitMs]).toEqual([false, 59_999]);
  expect(positions.moveTo(square, { pts: 511, newest: 0 })).toEqual([]);
  expect(idsOf(positions.apply(square, update(512), 1))).toEqual([512]);
});

test("nothing is kept of channels that are no longer wanted", () => {
  const positions = following(10);
  positions.apply(square, update(11), 0);
  positions.clear();
  expect([positions.has(square), positions.takeMoved().size]).toEqual([false, 0]);
});

test("at most 1,000 channels are kept, and none whose position is not stored", () => {
  const positions = new ChannelPositions();
  positions.start("new", { pts: 1, newest: 0 });
  for (let n = 0; n < 1_000; n += 1) positions.open(`-${n}`, { pts: 1, newest: 0 });
  expect([positions.has("new"), positions.has("-0"), positions.has("-999")]).toEqual([true, false, true]);
});

test("updates of a channel that is not followed give nothing", () => {
  const positions = new ChannelPositions();
  positions.demand(square);
  expect(positions.apply(square, update(1), 0)).toEqual([]);
  expect([positions.moveTo(square, { pts: 2, newest: 0 }), positions.filled(square, 0), positions.due(0, gapMs)]).toEqual([
    [],
    [],
    undefined,
  ]);
});
