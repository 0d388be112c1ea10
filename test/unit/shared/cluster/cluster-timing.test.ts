import { describe, expect, it } from "vitest";
import { checkedTiming, defaultClusterTiming, scaledTiming, type ClusterTiming } from "../../../../shared/cluster/cluster-timing.js";
import { readClusterTiming } from "../../../../shared/cluster/read-cluster-timing.js";
import { EnvReader } from "../../../../shared/config/env.js";

describe("scaledTiming", () => {
  it("has the defaults at 1, and each wait in proportion", () => {
    expect(scaledTiming(1)).toEqual(defaultClusterTiming);
    expect(scaledTiming(0.1)).toMatchObject({ heartbeatMs: 300, validityMs: 1_700, deathMs: 2_000, drainSendMs: 3_000 });
  });
  it.each([0.05, 0.1, 0.2, 0.3, 0.55, 1, 3])("keeps every relation at %d", (factor) => {
    expect(() => scaledTiming(factor)).not.toThrow();
  });
});

describe("checkedTiming", () => {
  it.each<[string, Partial<ClusterTiming>]>([
    ["clocks of two hosts may differ by 15 % between validity and death", { deathMs: 19_000 }],
    ["a lease must outlive four failed heartbeats", { heartbeatMs: 3_400, overdueMs: 5_000, unheardMs: 12_000, unbeatenMs: 6_000 }],
    ["a hung shard must be dead before its lease ends", { stallMs: 15_000 }],
    ["a member between two heartbeats must not be overdue", { overdueMs: 3_900 }],
    ["a member may miss three heartbeats and still be heard", { unheardMs: 9_000 }],
    ["a member must be unheard before its lease ends", { unheardMs: 17_000 }],
    ["members must have time to beat again after an outage", { unbeatenMs: 4_000 }],
    ["Redis may miss two looks and still count as answering", { redisSilentMs: 2_000 }],
    ["a member that rejoins must find its slots before they move", { stableMs: 3_000 }],
    ["a fenced member must have time to join again", { rejoinGraceMs: 900 }],
    ["shards notice an emptied Redis at their next heartbeat", { lastRepliesMs: 3_500 }],
    ["a move ends reads before sends", { drainReadMs: 31_000 }],
    ["each wait must be longer than 0 ms", { quietMs: 0 }],
  ])("%s", (sentence, change) => {
    expect(() => checkedTiming({ ...defaultClusterTiming, ...change })).toThrow(sentence);
  });
});

describe("TEST_TIME_PERCENT", () => {
  const read = (value: string | undefined, onSandbox: boolean): ClusterTiming => {
    const env = new EnvReader({ TEST_TIME_PERCENT: value });
    const timing = readClusterTiming(env, { onSandbox });
    env.finish();
    return timing;
  };
  it("is 100 where it is absent, on live platforms too", () => {
    expect(read(undefined, false)).toEqual(defaultClusterTiming);
  });
  it("shortens the waits of a process on the sandbox", () => {
    expect(read("30", true)).toMatchObject({ heartbeatMs: 900, stallMs: 3_000 });
  });
  it("is refused on live platforms, and below what children report in", () => {
    expect(() => read("30", false)).toThrow("TEST_TIME_PERCENT is for tests on the sandbox alone");
    expect(() => read("29", true)).toThrow("TEST_TIME_PERCENT must be an integer from 30 to 100");
  });
});
