import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../harness/eventually.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { GatewayOn } from "../redis/gateway-on.js";
import { slotCount } from "../../shared/limits.js";
import { readSchema } from "../../shared/schema/schema-record.js";
import { newestSchema, oldestSchema } from "../../shared/schema/schema-version.js";
import { MixedGateway, type Build, type Role } from "./mixed-gateway.js";

/**
 * Processes of a former build and of this one beside each other, one replaced after the other under load through both routers: nothing is lost or sent twice, no account
 * has two owners, nobody has to scan again.
 */
let mixed: MixedGateway;
let gateway: GatewayOn;
beforeAll(async () => {
  mixed = await MixedGateway.start("former");
  gateway = await GatewayOn.of(mixed, mixed.mediaKeys);
});
afterAll(() => gateway.stop());

const written = async (): Promise<number> => (await readSchema(mixed.redis.client)) ?? oldestSchema;
/** What callers were told meanwhile. */
const replacing = async (what: string, ...steps: readonly [role: Role, index: number, build: Build][]): Promise<string[]> => {
  const refusals = await gateway.surviving(`upgrade: ${what}`, async (load) => {
    for (const step of steps) {
      await mixed.replace(...step);
      await load.further(2);
    }
  });
  return [...refusals.keys()];
};

it("one shard and one router are new", async () => {
  expect(await replacing("to half", ["shard", 0, "present"], ["router", 0, "present"])).toEqual([]);
  await gateway.liveOneDay();
});

it("routers of both builds on shards of the former, gone back", async () => {
  expect(await replacing("the shard back", ["shard", 0, "former"])).toEqual([]);
});

it("routers of both builds on new shards", async () => {
  expect(await replacing("the shards", ["shard", 1, "present"], ["shard", 0, "present"])).toEqual([]);
  expect(await written()).toBe(oldestSchema);
});

it("the newest schema is written once all are new", async () => {
  expect(await replacing("the last router", ["router", 1, "present"])).toEqual([]);
  await gateway.surviving("upgrade: another schema", async () => {
    await gateway.liveOneDay();
    await eventually("the newest schema", async () => (await written()) === newestSchema);
  });
  await gateway.liveOneDay();
});

it("a former router may go on then", async () => {
  expect(await replacing("a former router back", ["router", 0, "former"], ["router", 0, "present"])).toEqual([]);
});

it("a former shard that is started then gets no slot, whoever leaves", async () => {
  const slots = async (index: number): Promise<number> =>
    metricOf(await scrape(mixed.adminPort("shard", index)), "gateway_shard_slots_owned_slots");
  const refusals = await gateway.surviving("upgrade: a former shard too late", async (load) => {
    await mixed.end("shard", 1, "SIGTERM");
    mixed.launch("shard", 1, "former");
    await eventually("turned away", () => mixed.printed("shard", 0).includes("was turned away"));
    await eventually("all slots with the other", async () => (await slots(0)) === slotCount);
    await eventually("its lease lost", () => mixed.printed("shard", 1).includes("lease lost"));
    await load.further(2);
    expect(await slots(1)).toBe(0);
    await mixed.replace("shard", 1, "present");
  });
  expect([...refusals.keys()]).toEqual([]);
});

it("forgets sessions that are deleted", () => gateway.deleteSessions());
