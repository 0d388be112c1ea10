import { describe, expect, it } from "vitest";
import type { ProxyAddress } from "../../../../shared/tenant/proxy-address.js";
import { type EndedConnection, rerouteGapMs } from "../../../../shard/session/reroute-gap.js";

const proxy: ProxyAddress = { kind: "socks5", host: "proxy.example.com", port: 1080, user: "ann", password: "a" };
const gaps = { rerouteMs: 2_000, dropMs: 45_000 };

describe("the gap before another route", () => {
  it.each<[string, last: EndedConnection | undefined, next: ProxyAddress | undefined, now: number, gapMs: number]>([
    ["is none without a former connection", undefined, proxy, 0, 0],
    ["is none for the same proxy", { at: 0, byUs: true, proxy: proxy }, { ...proxy }, 0, 0],
    ["is none for a direct connection as before", { at: 0, byUs: false, proxy: undefined }, undefined, 0, 0],
    ["is short after a connection that we closed", { at: 1_000, byUs: true, proxy: proxy }, undefined, 1_500, 1_500],
    ["ends after the short gap", { at: 1_000, byUs: true, proxy: proxy }, undefined, 3_000, 0],
    ["lasts until the platform has dropped a lost connection", { at: 1_000, byUs: false, proxy: undefined }, proxy, 2_000, 44_000],
    ["counts for another port", { at: 0, byUs: true, proxy: proxy }, { ...proxy, port: 1081 }, 0, 2_000],
    ["counts for another user of the same proxy", { at: 0, byUs: true, proxy: proxy }, { ...proxy, user: "ann-2" }, 0, 2_000],
  ])("%s", (_, last, next, now, gapMs) => {
    expect(rerouteGapMs(last, next, now, gaps)).toBe(gapMs);
  });

  it("is no shorter after a loss than after a close, however soon the platform drops", () => {
    expect(rerouteGapMs({ at: 0, byUs: false, proxy: proxy }, undefined, 0, { ...gaps, dropMs: 0 })).toBe(2_000);
  });
});
