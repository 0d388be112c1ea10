import { describe, expect, it } from "vitest";
import { planOf, type Demand } from "../../../../../deploy/cli/capacity/plan-of.js";
import { works, type UnitCosts, type Work, type WorkCosts } from "../../../../../deploy/cli/capacity/unit-costs.js";

const [mib, gib] = [1024 ** 2, 1024 ** 3];
const nothing: WorkCosts = { shardCpuMs: 0, routerCpuMs: 0, redisCpuMs: 0, cacheCpuMs: 0, fileBytes: 0, briefBytes: 0, dayBytes: 0 };
const session = { shardBytes: 0, idleCpuMsPerHour: 0, connectCpuMs: 0, redisBytes: 0 };

/** Everything else costs nothing, so that each formula is tested alone. */
function costs({ work = {}, ...more }: { work?: Partial<Record<Work, Partial<WorkCosts>>> } & Partial<Omit<UnitCosts, "work">>): UnitCosts {
  return {
    measured: { date: "2026-01-01", cpu: "", node: "" },
    emptyShardBytes: 0,
    session: { telegram: session, whatsapp: session },
    work: Object.fromEntries(works.map((one) => [one, { ...nothing, ...work[one] }])) as UnitCosts["work"],
    ...more,
  };
}

function demand(telegram: number, perSecond: Partial<Record<Work, number>> = {}, shardBytes = 2 * gib): Demand {
  return {
    sessions: { telegram, whatsapp: 0 },
    perSecond: Object.fromEntries(works.map((work) => [work, perSecond[work] ?? 0])) as Demand["perSecond"],
    shardBytes,
  };
}

describe("shards", () => {
  it("are two at least, so that one may be missing", () => {
    expect(planOf(demand(1), costs({})).shards.count).toBe(2);
  });

  it.each([
    [5_000, 3],
    [4_600, 2],
    [100_000, 23],
    [1_000_000, 217],
  ])("hold no more sessions than were measured: %i want %i", (sessions, count) => {
    expect(planOf(demand(sessions), costs({})).shards).toMatchObject({ count, because: "measured" });
  });

  it("fill four fifths of their memory, less what an empty one takes", () => {
    const each = { ...session, shardBytes: mib };
    // (0.8 * 1,000 - 300) MiB hold 500 sessions. The fullest shard has 1.08 times its share.
    const { shards } = planOf(
      demand(2_300, {}, 1_000 * mib),
      costs({ emptyShardBytes: 300 * mib, session: { telegram: each, whatsapp: session } }),
    );
    expect(shards).toMatchObject({ count: 5 + 1, because: "memory" });
    expect(shards.bytesEach).toBeCloseTo(300 * mib + (1.08 * 2_300 * mib) / 6);
  });

  it("fill 0.6 of a core, with sessions that idle and with what is to do", () => {
    const idle = { ...session, idleCpuMsPerHour: 360 };
    // 1,000 idle sessions take 0.1 core, 500 texts a second of 1 ms take 0.5, 200 events take 0.4: 1.08 * 1.0 / 0.6.
    const { shards } = planOf(
      demand(1_000, { telegramText: 500, telegramIncoming: 200 }),
      costs({
        session: { telegram: idle, whatsapp: session },
        work: { telegramText: { shardCpuMs: 1 }, telegramIncoming: { shardCpuMs: 2 } },
      }),
    );
    expect(shards).toMatchObject({ count: 2 + 1, because: "processor" });
  });
});

it("routers fill 0.6 of a core, and one may be missing", () => {
  const work = { read: { routerCpuMs: 0.1 }, warmMib: { routerCpuMs: 1 } };
  expect(planOf(demand(1, { read: 5_000, warmMib: 200 }), costs({ work })).routers).toEqual({ count: 2 + 1, coresEach: 0.7 / 3 });
});

describe("Redis", () => {
  it("holds logins, records for a quarter of an hour and content for a day in four fifths of its memory", () => {
    const each = { ...session, redisBytes: 1_000 };
    const { redis } = planOf(
      demand(10, { telegramText: 2 }),
      costs({
        session: { telegram: each, whatsapp: session },
        work: { telegramText: { briefBytes: 100, dayBytes: 10, fileBytes: 50, redisCpuMs: 1, cacheCpuMs: 2 } },
      }),
    );
    expect(redis.dataBytes).toBe(10_000 + 2 * (100 * 900 + 10 * 86_400));
    expect(redis.maxmemoryBytes).toBeCloseTo(redis.dataBytes / 0.8);
    expect(redis).toMatchObject({ masters: 1, fileBytesPerDay: 2 * 50 * 86_400, cores: 0.002, cacheCores: 0.004 });
  });

  it.each([
    ["memory", 19, 1],
    ["memory", 21, 3],
    ["memory", 100, 5],
  ])("is a cluster where one server has not the %s: %i GiB want %i", (_, dataGib, masters) => {
    const each = { ...session, redisBytes: gib };
    expect(planOf(demand(dataGib), costs({ session: { telegram: each, whatsapp: session } })).redis.masters).toBe(masters);
  });

  it("is a cluster where one core has not the time", () => {
    expect(planOf(demand(1, { read: 1_000 }), costs({ work: { read: { redisCpuMs: 2.5 } } })).redis.masters).toBe(5);
  });
});

it("sessions are back as fast as a shard begins connects, or as its core can", () => {
  const { back, shards } = planOf(demand(9_000), costs({}));
  expect(shards).toMatchObject({ count: 3, sessionsEach: 3_240 });
  expect(back.allSeconds).toBeCloseTo(3_240 / 50);
  expect(back.oneShardSeconds).toBeCloseTo(3_240 / 2 / 50);
  const slow = { ...session, connectCpuMs: 100 };
  expect(planOf(demand(9_000), costs({ session: { telegram: slow, whatsapp: session } })).back.allSeconds).toBeCloseTo(324);
});

it("names what no further process helps against, the fullest first", () => {
  const each = { ...session, redisBytes: 1_024 };
  const { bounds } = planOf(demand(1_000_000), costs({ session: { telegram: each, whatsapp: session } }));
  expect(bounds.map(({ share }) => share)).toEqual(bounds.map(({ share }) => share).sort((a, b) => b - a));
  expect(bounds.find(({ name }) => name === "members")?.share).toBeCloseTo(219 / 1_000);
});
