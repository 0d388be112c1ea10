import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { keys } from "../../../../shared/redis/keys.js";
import type { ReleasePlace } from "../../../../shared/tenant/place-budget.js";
import { sharePlaces, TenantPlaces } from "../../../../shared/tenant/tenant-places.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
const blue = "blue" as TenantName;
const open: TenantPlaces[] = [];
const key = keys.tenantPlaces(blue, "downloads");

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());
afterEach(async () => {
  for (const places of open.splice(0)) await places.stop();
});

function aProcess(member: string, quota: { limit: number | undefined }, waitingMax = 1_000): TenantPlaces {
  const limitOf = (tenant: TenantName): number | undefined => (tenant === blue ? quota.limit : undefined);
  const places = new TenantPlaces({ redis: redis.client, quota: "downloads", member, limitOf, waitingMax });
  places.start();
  open.push(places);
  return places;
}

async function enterAll(places: TenantPlaces, count: number, waitMs: number): Promise<ReleasePlace[]> {
  const entered = await Promise.all(Array.from({ length: count }, () => places.enter(blue, { waitMs })));
  return entered.filter((release) => release !== undefined);
}

const free: ReleasePlace = () => undefined;
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe("the part of one process", () => {
  interface Row {
    /** Other members' held places, wanted places, and the time for which the entry counts. */
    readonly others: Readonly<Record<string, readonly [held: number, wanted: number, forMs: number]>>;
    readonly kept: number;
    readonly want: number;
    readonly all: number;
    readonly gets: { held: number; share: number; tight: boolean };
  }
  it.each<Row>([
    { others: {}, kept: 0, want: 3, all: 5, gets: { held: 3, share: 3, tight: false } },
    { others: {}, kept: 0, want: 5, all: 5, gets: { held: 5, share: 5, tight: true } },
    { others: {}, kept: 0, want: 9, all: 5, gets: { held: 5, share: 5, tight: true } },
    { others: {}, kept: 4, want: 2, all: 5, gets: { held: 4, share: 2, tight: false } },
    // Places that another member holds are never given twice, whatever is fair.
    { others: { b: [4, 4, 9_000] }, kept: 0, want: 4, all: 6, gets: { held: 2, share: 3, tight: true } },
    // A member that wants little gets it, and the rest goes to the other.
    { others: { b: [1, 1, 9_000] }, kept: 0, want: 10, all: 5, gets: { held: 4, share: 4, tight: true } },
    { others: { b: [0, 9, 9_000], c: [1, 1, 9_000] }, kept: 0, want: 9, all: 9, gets: { held: 4, share: 4, tight: true } },
    // Held places stay, and their member learns its fair share.
    { others: { b: [2, 6, 9_000] }, kept: 4, want: 6, all: 6, gets: { held: 4, share: 3, tight: true } },
    // The quota is below the current use.
    { others: {}, kept: 7, want: 3, all: 3, gets: { held: 7, share: 3, tight: true } },
    { others: { b: [7, 3, 9_000] }, kept: 0, want: 2, all: 3, gets: { held: 0, share: 1, tight: true } },
    // A member that has not reported for too long counts as dead.
    { others: { b: [5, 5, -1] }, kept: 0, want: 5, all: 5, gets: { held: 5, share: 5, tight: true } },
    { others: { b: [5, 5, 9_000] }, kept: 0, want: 0, all: 10, gets: { held: 0, share: 0, tight: false } },
  ])("of $all that keeps $kept and wants $want beside $others: $gets", async ({ others, kept, want, all, gets }) => {
    for (const [member, [held, wanted, forMs]] of Object.entries(others))
      await redis.client.hset(key, member, `${held} ${wanted} ${Date.now() + forMs}`);
    const [held, share, tight] = await sharePlaces(redis.client, [key], ["a", kept, want, all, 10_000]);
    // The remainder of the division goes to another member each second.
    expect({ held, share, tight: tight === 1 }).toEqual({ ...gets, share: share === gets.share + 1 && want >= share ? share : gets.share });
    expect(await redis.client.hexists(key, "a")).toBe(held === 0 && want === 0 ? 0 : 1);
  });

  it("goes around where there are fewer places than processes", async () => {
    const served = new Set<string>();
    await eventually("a turn for each", async () => {
      for (const member of ["a", "b", "c"]) {
        const [held] = await sharePlaces(redis.client, [key], [member, 0, 5, 1, 10_000]);
        if (held === 1) served.add(member);
        await sharePlaces(redis.client, [key], [member, 0, 5, 1, 10_000]);
        await redis.client.hset(key, member, `0 5 ${Date.now() + 10_000}`);
      }
      return served.size === 3;
    });
  });
});

describe("a tenant's places", () => {
  it("are as many as the quota says over two busy processes, which have about half each", async () => {
    const limit = 10;
    const both = [aProcess("a", { limit }), aProcess("b", { limit })];
    const forMs = 3_000;
    const endsAt = performance.now() + forMs;
    let [running, most, ranMs] = [0, 0, 0];
    const done = [0, 0];
    const workers = Array.from({ length: 40 }, async (_, number) => {
      while (performance.now() < endsAt) {
        const release = (await both[number % 2]?.enter(blue, {})) ?? free;
        const startedAt = performance.now();
        most = Math.max(most, ++running);
        await soon();
        running--;
        ranMs += performance.now() - startedAt;
        done[number % 2] = (done[number % 2] ?? 0) + 1;
        release();
      }
    });
    await Promise.all(workers);
    expect(most).toBe(limit);
    expect(ranMs / (forMs * limit)).toBeGreaterThan(0.8);
    expect(Math.min(...done) / Math.max(...done)).toBeGreaterThan(0.5);
  });

  it("move from an idle process to another one before its wait ends", async () => {
    const [a, b] = [aProcess("a", { limit: 10 }), aProcess("b", { limit: 10 })];
    for (const release of await enterAll(a, 10, 5_000)) release();
    expect(a.tryEnter(blue)).toBeDefined();
    expect(await enterAll(b, 9, 2_000)).toHaveLength(9);
  });

  it("that are all taken refuse after a moment, and let in whoever waits when one is given back", async () => {
    const places = aProcess("a", { limit: 2 }, 3);
    const [first] = await enterAll(places, 2, 5_000);
    expect(places.tryEnter(blue)).toBeUndefined();
    expect(await places.enter(blue, { waitMs: 100 })).toBeUndefined();
    const waiting = [1, 2, 3].map(() => places.enter(blue, {}));
    expect(places.waiting).toBe(3);
    expect(await places.enter(blue, {})).toBeUndefined();
    first?.();
    first?.();
    await expect(waiting[0]).resolves.toBeDefined();
    expect(places.waiting).toBe(2);
  });

  it("are not lost with one who no longer waits", async () => {
    const places = aProcess("a", { limit: 1 });
    const [first] = await enterAll(places, 1, 5_000);
    const leaving = new AbortController();
    const left = places.enter(blue, { signal: leaving.signal });
    const next = places.enter(blue, {});
    first?.();
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    await expect(next).resolves.toBeDefined();
  });

  it("follow the quota: fewer from then on, more at once, and none counted without it", async () => {
    const quota: { limit: number | undefined } = { limit: 3 };
    const places = aProcess("a", quota);
    const entered = await enterAll(places, 3, 5_000);
    quota.limit = 1;
    for (const release of entered.slice(0, 2)) release();
    expect(await places.enter(blue, { waitMs: 200 })).toBeUndefined();
    const waiting = places.enter(blue, {});
    quota.limit = 2;
    await waiting;
    const unbound = [places.enter(blue, {}), places.enter(blue, {})];
    quota.limit = undefined;
    await Promise.all(unbound);
    expect(places.tryEnter(blue)).toBeDefined();
  });

  it("send no request to Redis without a quota, or for work that keeps returning", async () => {
    const given = async (): Promise<number> => Number(/total_commands_processed:(\d+)/.exec(await redis.client.info("stats"))?.[1]);
    const [unbound, bound] = [aProcess("a", { limit: undefined }), aProcess("b", { limit: 100 })];
    for (const release of await enterAll(bound, 20, 5_000)) release();
    const before = await given();
    for (let i = 0; i < 1_000; i++) {
      expect(unbound.tryEnter(blue)).toBeDefined();
      const release = bound.tryEnter(blue);
      expect(release).toBeDefined();
      release?.();
    }
    expect((await given()) - before).toBeLessThan(20);
  });

  it("wake a process only while a tenant has some", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const [unbound, bound] = [aProcess("a", { limit: undefined }), aProcess("b", { limit: 5 })];
    const before = timers();
    aProcess("c", { limit: 5 });
    expect(unbound.tryEnter(blue)).toBeDefined();
    expect(timers()).toBe(before);
    const [release] = await enterAll(bound, 1, 5_000);
    release?.();
    await eventually("all given back", async () => (await redis.client.exists(key)) === 0);
    await enterAll(bound, 1, 5_000);
    expect(await redis.client.hkeys(key)).toEqual(["b"]);
  });

  it("are released when unused, and when a process stops", async () => {
    const [a, b] = [aProcess("a", { limit: 5 }), aProcess("b", { limit: 5 })];
    for (const release of await enterAll(a, 2, 5_000)) release();
    await enterAll(b, 3, 5_000);
    await eventually("only b's", async () => Object.keys(await redis.client.hgetall(key)).join() === "b");
    await b.stop();
    expect(await redis.client.exists(key)).toBe(0);
  });
});

it("delay no work while Redis does not respond", async () => {
  const away = await startRedis();
  const places = new TenantPlaces({ redis: away.client, quota: "inFlight", member: "a", limitOf: () => 1, waitingMax: 10 });
  open.push(places);
  process.kill(away.pid, "SIGSTOP");
  expect(await Promise.all([1, 2, 3].map(() => places.enter(blue, { waitMs: 100 })))).toHaveLength(3);
  process.kill(away.pid, "SIGCONT");
  await away.stop();
});
