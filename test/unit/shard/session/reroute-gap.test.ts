import { describe, expect, it } from "vitest";
import type { ProxyAddress } from "../../../../shared/tenant/proxy-address.js";
import { type EndedConnection, rerouteGapMs } from "../../../../shard/session/reroute-gap.js";

const proxy: ProxyAddress = { kind: "socks5", host: "proxy.example.com", port: 1080, user: "ann", password: "a" };
const gaps = { rerouteMs: 2_000, dropMs: 45_000 };

describe("an account that comes another way", () => {
  it.each<[string, last: EndedConnection | undefined, way: ProxyAddress | undefined, now: number, gapMs: number]>([
    ["at once where it was not there before", undefined, proxy, 0, 0],
    ["at once by the same proxy", { at: 0, byUs: true, proxy: proxy }, { ...proxy }, 0, 0],
    ["at once where it goes directly as before", { at: 0, byUs: false, proxy: undefined }, undefined, 0, 0],
    ["after we closed, in a moment", { at: 1_000, byUs: true, proxy: proxy }, undefined, 1_500, 1_500],
    ["as soon as that moment is over", { at: 1_000, byUs: true, proxy: proxy }, undefined, 3_000, 0],
    ["after a loss, once the platform has dropped it", { at: 1_000, byUs: false, proxy: undefined }, proxy, 2_000, 44_000],
    ["by another port", { at: 0, byUs: true, proxy: proxy }, { ...proxy, port: 1081 }, 0, 2_000],
    ["for another user of the same proxy", { at: 0, byUs: true, proxy: proxy }, { ...proxy, user: "ann-2" }, 0, 2_000],
  ])("%s", (_, last, way, now, gapMs) => {
    expect(rerouteGapMs(last, way, now, gaps)).toBe(gapMs);
  });

  it("waits no shorter after a loss than after a close, however soon the platform drops", () => {
    expect(rerouteGapMs({ at: 0, byUs: false, proxy: proxy }, undefined, 0, { ...gaps, dropMs: 0 })).toBe(2_000);
  });
});
