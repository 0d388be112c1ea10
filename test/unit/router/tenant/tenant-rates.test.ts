import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rateHeaders } from "../../../../router/endpoint/rate-headers.js";
import { MessageDays, type CountedMessage } from "../../../../router/tenant/message-days.js";
import type { Quotas } from "../../../../router/tenant/records.js";
import { byteLimits, requestLimits } from "../../../../router/tenant/rate-limits.js";
import { TenantRates } from "../../../../router/tenant/tenant-rates.js";
import type { RateVerdict } from "../../../../router/tenant/token-budget.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { keys } from "../../../../shared/redis/keys.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
const blue = "blue" as TenantName;
const routers: TenantRates[] = [];
const refusals: string[] = [];
const metrics = { quotaReached: (quota: string) => void refusals.push(quota) };

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  refusals.length = 0;
});
afterEach(async () => {
  for (const router of routers.splice(0)) await router.stop();
});

function aRouter(quotas: Partial<Quotas>): TenantRates {
  const rates = new TenantRates({
    redis: redis.client,
    key: keys.tenantRequests,
    limitsOf: (tenant) => requestLimits(tenant === blue ? quotas : undefined),
    onRefused: () => void refusals.push("requestsPerSecond"),
  });
  rates.start();
  routers.push(rates);
  return rates;
}

/** Resolves with the number of Redis commands so far. */
async function commandsGiven(): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await redis.client.info("stats"))?.[1]);
}

/** Sends requests as fast as possible for `forMs`. */
async function flood(rates: TenantRates, forMs: number): Promise<{ admitted: number; refused: number }> {
  const counts = { admitted: 0, refused: 0 };
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt) {
    const verdict = await rates.admit(blue);
    if (verdict?.admitted === true) counts.admitted += 1;
    else counts.refused += 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return counts;
}

describe("a rate", () => {
  it("of two routers that are flooded is the tenant's, within a tenth", async () => {
    const [rate, burst, forMs] = [40, 20, 4_000];
    const startedAt = performance.now();
    const both = [aRouter({ requestsPerSecond: rate, burst }), aRouter({ requestsPerSecond: rate, burst })];
    const counts = await Promise.all(both.map((router) => flood(router, forMs)));
    const expected = burst + (rate * (performance.now() - startedAt)) / 1_000;
    const admitted = counts.reduce((sum, count) => sum + count.admitted, 0);
    expect(admitted / expected).toBeGreaterThan(0.9);
    expect(admitted / expected).toBeLessThan(1.1);
    for (const { refused } of counts) expect(refused).toBeGreaterThan(0);
  });

  it("lets a burst through at once, and no more", async () => {
    const router = aRouter({ requestsPerSecond: 1, burst: 25 });
    const verdicts = await Promise.all(Array.from({ length: 100 }, async () => await router.admit(blue)));
    expect(verdicts.filter((verdict) => verdict?.admitted === true)).toHaveLength(25);
    expect(refusals).toEqual(Array.from({ length: 75 }, () => "requestsPerSecond"));
    const refused = verdicts.find((verdict) => verdict?.admitted === false);
    expect(refused).toMatchObject({ remaining: 0, rate: 1, capacity: 25 });
    expect(refused?.retryMs).toBeGreaterThan(0);
  });

  it("wakes a router only while a tenant has used one lately", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = timers();
    const router = aRouter({ requestsPerSecond: 10, burst: 10 });
    expect(router.admitAtHand("red" as TenantName)).toBe("free");
    expect(timers()).toBe(before);
    expect(router.admitAtHand(blue)).toBeUndefined();
    expect(timers()).toBe(before + 1);
    await eventually("a rest", () => timers() <= before);
  });

  it("does not read Redis more often when it rejects", async () => {
    const router = aRouter({ requestsPerSecond: 1, burst: 1 });
    const startedAt = performance.now();
    await router.admit(blue);
    await router.admit(blue);
    const before = await commandsGiven();
    let admitted = 0;
    for (let i = 0; i < 1_000; i++) {
      const judged = await router.admit(blue);
      expect(judged).toMatchObject({ admitted: expect.any(Boolean) as boolean });
      if (judged?.admitted === true) admitted++;
    }
    // One for each second that the test took, because a busy machine needs seconds.
    expect(admitted).toBeLessThanOrEqual(Math.floor((performance.now() - startedAt) / 1_000));
    expect((await commandsGiven()) - before).toBeLessThan(50);
  });

  it("gives back what a router took and did not use", async () => {
    const [first, second] = [aRouter({ requestsPerSecond: 0.001, burst: 10 }), aRouter({ requestsPerSecond: 0.001, burst: 10 })];
    const left = async (): Promise<number> => Number(await redis.client.hget(keys.tenantRequests(blue), "tokens"));
    for (let i = 0; i < 4; i++) expect(await first.admit(blue)).toMatchObject({ admitted: true });
    await eventually("the rest in the bucket", async () => Math.floor(await left()) === 6);
    const others = await Promise.all(Array.from({ length: 10 }, async () => await second.admit(blue)));
    expect(others.filter((verdict) => verdict?.admitted === true)).toHaveLength(6);
  });

  it("sends no request to Redis without a limit", () => {
    expect(aRouter({ sessions: 3 }).admit(blue)).toBeUndefined();
    expect(aRouter({ requestsPerSecond: null }).admit(blue)).toBeUndefined();
    expect(aRouter({ requestsPerSecond: 1 }).admit("red" as TenantName)).toBeUndefined();
  });

  it.each<[Partial<Quotas>, { rate: number; capacity: number } | undefined]>([
    [{}, undefined],
    [{ burst: 5 }, undefined],
    [{ requestsPerSecond: 10 }, { rate: 10, capacity: 10 }],
    [
      { requestsPerSecond: 10, burst: 30 },
      { rate: 10, capacity: 30 },
    ],
    [
      { requestsPerSecond: 100, burst: 1 },
      { rate: 100, capacity: 20 },
    ],
    [
      { requestsPerSecond: 1, burst: 1 },
      { rate: 1, capacity: 1 },
    ],
  ])("%j: %j", (quotas, limits) => {
    expect(requestLimits(quotas)).toEqual(limits);
  });
});

it.each<[Partial<RateVerdict>, string, string]>([
  [{ rate: 10, capacity: 10, remaining: 4, retryMs: 0 }, '"requests";q=10;w=1', '"requests";r=4;t=1'],
  [{ rate: 10, capacity: 100, remaining: 0, retryMs: 0 }, '"requests";q=100;w=10', '"requests";r=0;t=10'],
  [{ rate: 1, capacity: 5, remaining: 0, retryMs: 1_200 }, '"requests";q=5;w=5', '"requests";r=0;t=2'],
])("%j reads %s and %s", (verdict, policy, limit) => {
  const whole = { admitted: true, rate: 1, capacity: 1, remaining: 0, retryMs: 0, ...verdict };
  expect(rateHeaders(whole)).toEqual({ "RateLimit-Policy": policy, RateLimit: limit });
});

describe("bytes a second", () => {
  const patient = AbortSignal.timeout(60_000);
  function aRouterOf(quotas: Partial<Quotas>): TenantRates {
    const rates = new TenantRates({
      redis: redis.client,
      key: keys.tenantMediaBytes,
      limitsOf: (tenant) => byteLimits(tenant === blue ? quotas : undefined),
      onRefused: () => undefined,
    });
    rates.start();
    routers.push(rates);
    return rates;
  }

  it("of streams at two routers are the tenant's, within a tenth", async () => {
    const [rate, piece, forMs] = [200_000, 25_000, 3_000];
    const startedAt = performance.now();
    const both = [aRouterOf({ mediaBytesPerSecond: rate }), aRouterOf({ mediaBytesPerSecond: rate })];
    const end = AbortSignal.timeout(forMs);
    const streams = [0, 1, 2, 3, 4, 5].map(async (number) => {
      let paid = 0;
      while (!end.aborted) {
        await both[number % 2]?.pay(blue, piece, end).then(
          () => (paid += piece),
          () => undefined,
        );
      }
      return paid;
    });
    const paid = await Promise.all(streams);
    const most = rate + (rate * (performance.now() - startedAt)) / 1_000;
    expect(paid.reduce((sum, bytes) => sum + bytes, 0) / most).toBeGreaterThan(0.9);
    expect(paid.reduce((sum, bytes) => sum + bytes, 0) / most).toBeLessThan(1.1);
    for (const bytes of paid) expect(bytes).toBeGreaterThan(0);
  });

  it("are given to waiters in order of arrival, and a waiter that leaves blocks no other", async () => {
    const router = aRouterOf({ mediaBytesPerSecond: 20_000 });
    await router.pay(blue, 20_000, patient);
    const order: string[] = [];
    const leaving = new AbortController();
    const waits = [
      router.pay(blue, 2_000, patient).then(() => order.push("first")),
      router.pay(blue, 20_000, leaving.signal),
      router.pay(blue, 2_000, patient).then(() => order.push("second")),
    ];
    expect(router.waitMs(blue)).toBe(1_200);
    leaving.abort(new Error("left"));
    expect(router.waitMs(blue)).toBe(200);
    expect(await Promise.allSettled(waits)).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: new Error("left") },
      { status: "fulfilled" },
    ]);
    expect(order).toEqual(["first", "second"]);
  });

  it("are paid without a wait while they are at hand, and what was not sent is given back", async () => {
    const router = aRouterOf({ mediaBytesPerSecond: 1_024 });
    expect(router.tryPay("red" as TenantName, 1_000_000)).toBe("free");
    expect(router.tryPay(blue, 500)).toBe("short");
    await router.pay(blue, 1_024, patient);
    expect(router.tryPay(blue, 500)).toBe("short");
    router.refund(blue, 500);
    expect(router.tryPay(blue, 500)).toBe("paid");
  });

  it("wait no longer once the quota is gone, and follow one that has grown", async () => {
    const quotas: { mediaBytesPerSecond: number | null } = { mediaBytesPerSecond: 1_024 };
    const router = aRouterOf(quotas);
    await router.pay(blue, 1_024, patient);
    const waiting = router.pay(blue, 1_000_000, patient);
    quotas.mediaBytesPerSecond = null;
    await waiting;
    expect(router.tryPay(blue, 1_000_000_000)).toBe("free");
    quotas.mediaBytesPerSecond = 1_000_000_000_000;
    await router.pay(blue, 1_000_000_000, patient);
  });
});

describe("messages of a day", () => {
  const noon = Date.parse("2026-11-22T12:00:00Z");
  const days = (most: number | null, now = noon): MessageDays =>
    new MessageDays({ redis: redis.client, quotasOf: () => ({ messagesPerDay: most }), metrics, now: () => now });
  const message = (send: () => Promise<string>, replay?: () => Promise<string>): CountedMessage<string> => ({
    send,
    replay,
    isReplayed: (answer) => answer === "replayed",
  });
  const sent = message(() => Promise.resolve("sent"));
  const replayed = (): Promise<string> => Promise.resolve("replayed");

  it("are as many as the quota says, over all routers, until midnight in UTC", async () => {
    const both = [days(7), days(7)];
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => (both[i % 2] ?? days(7)).counted(blue, sent)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect(refusals).toEqual(Array.from({ length: 13 }, () => "messagesPerDay"));
    await expect(days(7).counted(blue, sent)).rejects.toMatchObject({
      status: 429,
      message: "too many requests",
      retryAfterSeconds: 43_200,
    });
    expect(await days(7, noon + 43_200_000).counted(blue, sent)).toBe("sent");
    expect(await days(7).counted("red" as TenantName, sent)).toBe("sent");
    expect(await days(null).counted(blue, sent)).toBe("sent");
  });

  it("are read for a page of tenants, in its order, and begin at 0 each day", async () => {
    const red = "red" as TenantName;
    for (let count = 0; count < 3; count++) await days(7).counted(blue, sent);
    await days(7).counted(red, sent);
    expect(await days(null).today([red, "green" as TenantName, blue])).toEqual([1, 0, 3]);
    expect(await days(7, noon + 43_200_000).today([red, blue])).toEqual([0, 0]);
    expect(await days(7).today([])).toEqual([]);
  });

  it("count each message of a request, and refuse a request that would pass the quota", async () => {
    const of = (count: number, send = sent.send): CountedMessage<string> => ({ ...sent, count, send });
    expect(await days(7).counted(blue, of(5))).toBe("sent");
    await expect(days(7).counted(blue, of(3))).rejects.toMatchObject({ status: 429 });
    expect(await days(7).today([blue])).toEqual([5]);
    const refused = new ApiError(400, "no");
    await expect(
      days(7).counted(
        blue,
        of(2, () => Promise.reject(refused)),
      ),
    ).rejects.toBe(refused);
    expect(await days(7).today([blue])).toEqual([5]);
    expect(await days(7).counted(blue, of(2))).toBe("sent");
    await expect(days(7).counted(blue, sent)).rejects.toMatchObject({ status: 429 });
  });

  it("do not count a replayed response again", async () => {
    expect(await days(1).counted(blue, message(replayed))).toBe("replayed");
    expect(await days(1).counted(blue, sent)).toBe("sent");
    await expect(days(1).counted(blue, sent)).rejects.toMatchObject({ status: 429 });
  });

  it("replay the earlier response after the daily quota is used up, and send nothing", async () => {
    const begin = (): Promise<string> => Promise.reject(new Error("sent past the quota"));
    const none = new ApiError(429, "too many requests", { retryAfterSeconds: 1 });
    const told = new ApiError(500, "send timeout after 240s", { replayed: true });
    await days(1).counted(blue, sent);
    expect(await days(1).counted(blue, message(begin, replayed))).toBe("replayed");
    expect(refusals).toEqual([]);
    await expect(
      days(1).counted(
        blue,
        message(begin, () => Promise.reject(told)),
      ),
    ).rejects.toBe(told);
    for (const unknown of [message(begin, () => Promise.reject(none)), message(begin)])
      await expect(days(1).counted(blue, unknown)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 43_200 });
    expect(refusals).toEqual(["messagesPerDay", "messagesPerDay"]);
    expect(await days(2).counted(blue, sent)).toBe("sent");
  });

  it("do not count what an earlier one failed with", async () => {
    const told = new ApiError(500, "send timeout after 240s", { replayed: true });
    await expect(
      days(1).counted(
        blue,
        message(() => Promise.reject(told)),
      ),
    ).rejects.toBe(told);
    expect(await days(1).counted(blue, sent)).toBe("sent");
  });

  it.each<[number, string, boolean]>([
    [400, "invalid receiver", false],
    [404, "group not found", false],
    [429, "too many requests", false],
    [500, "session not connected", false],
    [500, "session not found", false],
    [503, "server busy", false],
    [500, "send timeout after 240s", true],
    [500, "internal server error", true],
  ])("that failed with %i %s count: %s", async (status, words, counts) => {
    const error = new ApiError(status, words);
    await expect(
      days(1).counted(
        blue,
        message(() => Promise.reject(error)),
      ),
    ).rejects.toBe(error);
    const next = days(1).counted(blue, sent);
    await (counts ? expect(next).rejects.toMatchObject({ status: 429 }) : expect(next).resolves.toBe("sent"));
  });
});
