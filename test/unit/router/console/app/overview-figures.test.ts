import { describe, expect, it } from "vitest";
import type { MemberRow } from "../../../../../router/console/app/api/operator-rows.js";
import { healthOf } from "../../../../../router/console/app/pages/overview/health.js";
import { isStale } from "../../../../../router/console/app/pages/overview/not-known.js";
import { lastMinute, linePoints, samplesMax, withSample } from "../../../../../router/console/app/pages/overview/samples.js";
import { measured, totalOf, type Measured } from "../../../../../router/console/app/pages/overview/traffic.js";
import { delayMs, withLag } from "../../../../../router/console/app/pages/overview/webhook-delay.js";
import type { RouterTraffic } from "../../../../../router/console/traffic.js";

describe("traffic per minute", () => {
  const counts = (router: string, seconds: number, messages: number, errors = 0): RouterTraffic => ({
    router,
    at: seconds * 1_000,
    messages,
    errors,
  });
  const after = (...readings: RouterTraffic[][]): Measured => readings.reduce<Measured>(measured, new Map());

  it("is unknown until a router has reported twice", () => {
    expect(totalOf(after())).toBeUndefined();
    expect(totalOf(after([counts("a", 5, 100)]))).toBeUndefined();
    expect(totalOf(after([counts("a", 5, 100)], [counts("a", 5, 100)]))).toBeUndefined();
  });

  it("sums up all routers, each over the time between its own reports", () => {
    const rates = after([counts("a", 0, 100), counts("b", 0, 7, 1)], [counts("a", 5, 110), counts("b", 10, 8, 3)]);
    expect(totalOf(rates)).toEqual({ messages: 126, errors: 12 });
  });

  it("stays without a new report, and ends with the router", () => {
    const rates = after([counts("a", 0, 0)], [counts("a", 5, 10)], [counts("a", 5, 10)]);
    expect(totalOf(rates)).toEqual({ messages: 120, errors: 0 });
    expect(totalOf(measured(rates, []))).toBeUndefined();
  });

  it("starts at 0 after a router's restart", () => {
    expect(totalOf(after([counts("a", 0, 500, 9)], [counts("a", 5, 5, 0)]))).toEqual({ messages: 60, errors: 0 });
  });
});

describe("samples", () => {
  it("are limited, and average the last minute", () => {
    let samples: readonly number[] = [];
    expect(lastMinute(samples)).toBeUndefined();
    for (let sample = 1; sample <= samplesMax + 5; sample++) samples = withSample(samples, sample);
    expect([samples.length, samples[0], samples.at(-1)]).toEqual([samplesMax, 6, samplesMax + 5]);
    expect(lastMinute(samples)).toBe(59.5);
  });

  it("become a line that ends at the right edge, with the maximum at the top", () => {
    expect(linePoints([], 118, 32)).toBe("");
    expect(linePoints([0, 8, 4], 118, 32)).toBe("114.0,32.0 116.0,0.0 118.0,16.0");
    expect(linePoints([0, 0], 118, 32)).toBe("116.0,32.0 118.0,32.0");
  });
});

it("tracks the oldest pending event of all sessions", () => {
  let pending = withLag(withLag(new Map(), "a", 30, 100_000), "b", 5, 100_000);
  expect(delayMs(pending, 102_000)).toBe(32_000);
  pending = withLag(pending, "a", 0, 103_000);
  expect(delayMs(pending, 103_000)).toBe(8_000);
  expect(delayMs(withLag(pending, "b", 0, 104_000), 104_000)).toBe(0);
});

describe("health", () => {
  const shard: MemberRow = {
    name: "shard-1",
    role: "shard",
    state: "active",
    drained: false,
    host: "a",
    version: "1",
    slots: 4096,
    sessions: 10,
    loopLagMs: 5,
    memoryBytes: 1,
  };
  const members: readonly MemberRow[] = [
    shard,
    { ...shard, role: "router", name: "router-1" },
    { ...shard, role: "supervisor", name: "s" },
  ];
  const well = { members, failure: undefined, stale: false };
  const texts = (...given: Parameters<typeof healthOf>): string[] =>
    healthOf(...given).map(({ name, tone, text }) => `${name} ${tone}: ${text}`);

  it("shows Redis, and the live processes of each role", () => {
    expect(texts(well)).toEqual(["Redis good: Reachable", "Routers good: 1 alive", "Shards good: 1 alive", "Supervisors good: 1 alive"]);
    const others: readonly MemberRow[] = [
      { ...shard, name: "shard-2", state: "dead", version: null },
      { ...shard, name: "shard-3", state: "gone", version: null },
    ];
    expect(texts({ ...well, members: [shard, ...others] })).toEqual([
      "Redis good: Reachable",
      "Routers bad: 0 alive",
      "Shards warn: 1 of 2 alive",
      "Supervisors bad: 0 alive",
    ]);
  });

  it("shows Redis as unreachable or unknown", () => {
    const redis = (...given: Parameters<typeof healthOf>): string | undefined => texts(...given)[0];
    expect(redis({ ...well, failure: { message: "storage unavailable" } })).toBe("Redis bad: Unreachable");
    expect(redis({ ...well, members: undefined, failure: { message: "storage unavailable" } })).toBe("Redis bad: Unreachable");
    expect(redis({ ...well, failure: { message: "Can't reach the gateway." } })).toBe("Redis idle: Unknown");
    expect(texts({ ...well, stale: true })).toEqual([
      "Redis idle: Unknown",
      "Routers idle: 1 alive",
      "Shards idle: 1 alive",
      "Supervisors idle: 1 alive",
    ]);
  });
});

it.each([
  [{ at: undefined, failure: undefined }, false],
  [{ at: undefined, failure: new Error("server busy") }, false],
  [{ at: 90_000, failure: undefined }, false],
  [{ at: 80_000, failure: undefined }, true],
  [{ at: 99_000, failure: new Error("server busy") }, true],
])("data %j is stale: %s", (part, stale) => {
  expect(isStale(part, 100_000)).toBe(stale);
});
