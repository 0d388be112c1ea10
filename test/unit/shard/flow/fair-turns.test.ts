import { describe, expect, it } from "vitest";
import { FairTurns, type PlaceLimit } from "../../../../shard/flow/fair-turns.js";

const any = Number.POSITIVE_INFINITY;

/** Serves one at a time. Names are `tenant/session` or `tenant/session:cost`, in the order of arrival. */
function served(line: readonly string[], { costMax = 1, limits = [1, any, any] as readonly PlaceLimit[] } = {}): string[] {
  const turns = new FairTurns<string>(limits, costMax);
  for (const name of line) {
    const [path = "", cost = "1"] = name.split(":");
    turns.join(path.split("/"), name, Number(cost));
  }
  const order: string[] = [];
  for (let next = turns.next(); next !== undefined; next = turns.next()) {
    order.push(next.of);
    turns.end(next.nodes);
  }
  expect([turns.running, turns.waiting, turns.sizeOf(["a"])]).toEqual([0, 0, 0]);
  return order;
}

const times = (count: number, name: string): string[] => Array.from({ length: count }, () => name);

describe("the next turn", () => {
  it.each([
    ["tenants take turns, whatever each has waiting", [...times(20, "a/1"), "b/1", "b/1"], ["a/1", "b/1", "a/1", "b/1", "a/1"]],
    [
      "a tenant's sessions share its turns, and many of them get it no more",
      ["a/1", "a/1", "a/2", "a/3", "b/1", "b/1", "b/1"],
      ["a/1", "b/1", "a/2", "b/1", "a/3", "b/1", "a/1"],
    ],
    ["of a session whoever came first", ["a/1:1", "a/1:2", "a/1:3"], ["a/1:1", "a/1:2", "a/1:3"]],
  ])("%s", (_, line, order) => {
    expect(served(line).slice(0, order.length)).toEqual(order);
  });

  it.each([
    [
      "one that was served something dear misses as many turns",
      ["a/1:4", "a/1:4", "a/1:4", ...times(9, "b/1:1")],
      ["a/1:4", ...times(4, "b/1:1"), "a/1:4", ...times(4, "b/1:1"), "a/1:4"],
    ],
    ["what costs more than the most counts as that", ["a/1:99", "a/1:1", ...times(6, "b/1:1")], ["a/1:99", ...times(4, "b/1:1"), "a/1:1"]],
    ["nobody pays where nobody else waits", ["a/1:4", "a/1:4", "a/1:4"], ["a/1:4", "a/1:4", "a/1:4"]],
    [
      "a tenant pays for the dear work of each of its sessions",
      ["a/1:4", "a/2:1", "a/2:1", ...times(6, "b/1:1")],
      ["a/1:4", ...times(4, "b/1:1"), "a/2:1", "b/1:1", "a/2:1"],
    ],
  ])("%s", (_, line, order) => {
    expect(served(line, { costMax: 4 }).slice(0, order.length)).toEqual(order);
  });

  it("goes to the key with the fewest places first, and to none beyond its own limit", () => {
    const turns = new FairTurns<string>([3, 2, any]);
    for (const name of ["a", "a", "a", "b"]) turns.join([name, "1"], name, 1);
    const first = [turns.next(), turns.next(), turns.next(), turns.next()].map((next) => next?.of);
    expect(first).toEqual(["a", "b", "a", undefined]);
  });

  it("skips a key whose limit was lowered, and serves it after a refresh", () => {
    const room = new Map([
      ["a", 1],
      ["b", 1],
    ]);
    const turns = new FairTurns<string>([9, any, (key) => room.get(key) ?? 0]);
    turns.join(["t", "a"], "a", 1);
    turns.join(["u", "b"], "b", 1);
    room.set("a", 0);
    expect([turns.next()?.of, turns.next()?.of]).toEqual(["b", undefined]);
    room.set("a", 1);
    turns.refresh();
    expect(turns.next()?.of).toBe("a");
  });
});

it("starves no tenant: the tenants' shares differ by at most one expensive task, however long it runs", () => {
  const costMax = 8;
  const turns = new FairTurns<{ tenant: string; cost: number }>([1, any, any], costMax);
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const join = (tenant: string, heavy: boolean): void => {
    const cost = heavy ? 1 + random(costMax) : 1;
    turns.join([tenant, `s${String(random(5))}`], { tenant, cost }, cost);
  };
  // The first tenant floods with expensive work. The others always have some cheap work waiting.
  const tenants = ["a", "b", "c"];
  for (let count = 0; count < 200; count++) join("a", true);
  for (const tenant of tenants) for (let count = 0; count < 20; count++) join(tenant, false);
  const got = new Map(tenants.map((tenant) => [tenant, 0]));
  for (let step = 0; step < 5_000; step++) {
    const next = turns.next();
    if (next === undefined) throw new Error("somebody waits");
    const { tenant, cost } = next.of;
    got.set(tenant, (got.get(tenant) ?? 0) + cost);
    turns.end(next.nodes);
    join(tenant, tenant === "a");
    const all = [...got.values()];
    expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(costMax);
  }
});

it("visits as many keys per step with ten waiters as with ten thousand", () => {
  const visits = (tenants: number): number => {
    let calls = 0;
    const limit = (): number => {
      calls += 1;
      return 1;
    };
    const turns = new FairTurns<number>([1, limit, limit]);
    for (let tenant = 0; tenant < tenants; tenant++) for (const session of ["1", "2"]) turns.join([String(tenant), session], tenant, 1);
    calls = 0;
    for (let step = 0; step < 10; step++) {
      const next = turns.next();
      if (next !== undefined) turns.end(next.nodes);
    }
    return calls;
  };
  expect(visits(10_000)).toBe(visits(10));
});

it("a key of which nothing runs or waits leaves no debt behind", () => {
  const turns = new FairTurns<string>([1, any], 8);
  const dear = turns.take(["a"], 8);
  if (dear !== undefined) turns.end(dear);
  expect(turns.sizeOf(["a"])).toBe(0);
  turns.join(["a"], "a", 1);
  turns.join(["b"], "b", 1);
  expect(turns.next()?.of).toBe("a");
});

it("a key that was charged more than work costs misses turns, also when it was idle meanwhile", () => {
  const turns = new FairTurns<string>([1, any], 8);
  const late = turns.take(["a"], 1);
  turns.charge(["a"], 20);
  if (late !== undefined) turns.end(late);
  for (let count = 0; count < 30; count++) for (const key of ["a", "b"]) turns.join([key], key, 1);
  const order: string[] = [];
  for (let next = turns.next(); next !== undefined; next = turns.next()) {
    order.push(next.of);
    turns.end(next.nodes);
  }
  expect(order.indexOf("a")).toBe(21);
  // In the end everyone is served equally, and a paid debt leaves no entry.
  expect(order).toHaveLength(60);
  expect(turns.sizeOf(["a"])).toBe(0);
});

describe("eviction from a full queue", () => {
  it.each([
    ["the last of the tenant with most, of its session with most", ["a/1", "a/2", "a/2!", "b/1"], "c/1", "a/2!"],
    ["also for a tenant that has some", ["a/1", "a/1", "a/1!", "b/1"], "b/2", "a/1!"],
    ["none for a tenant that would have as much", ["a/1", "a/1", "b/1"], "b/1", undefined],
    ["a session of the same tenant that has more", ["a/1", "a/1!", "b/1"], "a/2", "a/1!"],
    ["none for the session with most itself", ["a/1", "a/1", "b/1"], "a/1", undefined],
    ["not the tenant with most sessions, but the one with most work", ["a/1", "a/2", "b/1", "b/1", "b/1!"], "c/1", "b/1!"],
  ])("%s", (_, line, newcomer, expected) => {
    const turns = new FairTurns<string>([0, any, any]);
    for (const name of line) turns.join(name.replace("!", "").split("/"), name, 1);
    const [first] = turns.mostWaiting(newcomer.split("/"));
    expect(first).toBe(expected);
  });
});
