import { setMaxListeners } from "node:events";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { TenantPlaces } from "../../../../shared/tenant/tenant-places.js";
import { DestinationGate, type Permit } from "../../../../shard/webhook/destination-gate.js";
import { tenantTurn } from "../../../../shard/webhook/tenant-turn.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let gate: DestinationGate;
let places: TenantPlaces;
const [blue, red] = ["blue" as TenantName, "red" as TenantName];
const neverAborted = new AbortController().signal;
setMaxListeners(0, neverAborted);

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(async () => {
  await places.stop();
  gate.stop();
});

function begin(limits: { total: number; perDestination: number; ofBlue: number }): void {
  gate = new DestinationGate({ ...limits, circuitMs: 60_000 });
  places = new TenantPlaces({
    redis: redis.client,
    quota: "webhooks",
    member: "a",
    limitOf: (tenant) => (tenant === blue ? limits.ofBlue : undefined),
    waitingMax: Infinity,
  });
  places.start();
}

function turns(tenant: TenantName, destination: string, count: number, signal = neverAborted): Permit[] {
  const granted: Permit[] = [];
  for (let i = 0; i < count; i++)
    void tenantTurn(gate, places, { tenant, destination }, signal).then(
      (permit) => granted.push(permit),
      () => undefined,
    );
  return granted;
}

it("a tenant has no more turns than its quota, all its destinations together, and each that ends is the next one's", async () => {
  begin({ total: 100, perDestination: 100, ofBlue: 3 });
  const granted = turns(blue, "one", 20);
  await eventually("three turns", () => Promise.resolve(granted.length === 3));
  const elsewhere = turns(blue, "two", 1);
  for (let done = 0; done < 20; done++) {
    await eventually("the next turn", () => Promise.resolve(granted.length > done));
    expect(gate.running).toBeLessThanOrEqual(3);
    granted[done]?.done("alive");
  }
  await eventually("the other destination's", () => Promise.resolve(elsewhere.length === 1));
});

it("an event that waits for the quota holds no turn that others need", async () => {
  begin({ total: 3, perDestination: 3, ofBlue: 2 });
  const granted = turns(blue, "one", 50);
  await eventually("its two", () => Promise.resolve(granted.length === 2 && places.waiting === 48));
  const others = turns(red, "one", 1);
  await eventually("the neighbour's", () => Promise.resolve(others.length === 1));
  expect(gate.running).toBe(3);
});

it("an event that waits for a dead destination uses no quota", async () => {
  begin({ total: 10, perDestination: 1, ofBlue: 1 });
  const busy = turns(red, "dead", 1);
  await eventually("a turn", () => Promise.resolve(busy.length === 1));
  turns(blue, "dead", 20);
  const granted = turns(blue, "alive", 3);
  for (let done = 0; done < 3; done++) {
    await eventually("the next turn", () => Promise.resolve(granted.length > done));
    granted[done]?.done("alive");
  }
});

it("a waiter that leaves uses no turn", async () => {
  begin({ total: 10, perDestination: 10, ofBlue: 1 });
  const first = turns(blue, "one", 1);
  await eventually("a turn", () => Promise.resolve(first.length === 1));
  const leaving = new AbortController();
  turns(blue, "one", 5, leaving.signal);
  const last = turns(blue, "one", 1);
  await eventually("all in line", () => Promise.resolve(places.waiting === 6));
  leaving.abort(new Error("left"));
  first[0]?.done("alive");
  await eventually("the last one's", () => Promise.resolve(last.length === 1));
  last[0]?.done("alive");
  await eventually("nothing in flight", () => Promise.resolve(gate.running === 0 && places.waiting === 0));
});
