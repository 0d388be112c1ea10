import { afterEach, beforeEach, expect, it } from "vitest";
import { acquireSlots, readOwners, type SlotToken } from "../../../../shared/cluster/ownership.js";
import { slotCount } from "../../../../shared/limits.js";
import { FencedError } from "../../../../shared/redis/script.js";
import { SlotStateWrites } from "../../../../shard/cluster/slot-state-writes.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let states: SlotStateWrites;
let tokens: SlotToken[];
const slots = Array.from({ length: slotCount }, (_, slot) => slot);

beforeEach(async () => {
  redis = await startRedis();
  states = new SlotStateWrites(redis.client);
  const self = { name: "a", incarnation: "i1", host: "h1" };
  const acquired = await acquireSlots(
    redis.client,
    slots.map((slot) => ({ slot, dead: undefined })),
    self,
  );
  tokens = acquired.flatMap((one) => one?.token ?? []);
});
afterEach(() => redis.stop());

const scriptsRun = async (): Promise<number> => {
  const calls = [...(await redis.client.info("commandstats")).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+).*failed_calls=(\d+)/gm)];
  return calls.reduce((sum, [, all, failed]) => sum + Number(all) - Number(failed), 0);
};

it("writes all slots of one turn in a few scripts, and rejects those that were lost", async () => {
  expect(tokens).toHaveLength(slotCount);
  const before = await scriptsRun();
  const lost = new Set([0, 511, 512, 4_000]);
  const written = await Promise.allSettled(
    tokens.map((token, slot) => states.set(slot, lost.has(slot) ? ("1" as SlotToken) : token, slot % 2 === 0 ? "free" : "draining")),
  );
  expect((await scriptsRun()) - before).toBe(slotCount / 512);
  for (const [slot, one] of written.entries())
    expect(one).toEqual(
      lost.has(slot) ? { status: "rejected", reason: expect.any(FencedError) as unknown } : { status: "fulfilled", value: undefined },
    );
  const owners = await readOwners(redis.client, slots);
  expect(owners.map((owner) => owner?.state)).toEqual(
    slots.map((slot) => (lost.has(slot) ? "held" : slot % 2 === 0 ? "free" : "draining")),
  );
});

it("keeps the order of writes", async () => {
  const token = tokens[7] ?? ("" as SlotToken);
  await Promise.all([states.set(7, token, "draining"), states.set(7, token, "free")]);
  expect(await readOwners(redis.client, [7])).toMatchObject([{ state: "free" }]);
  await states.set(7, token, "held");
  expect(await readOwners(redis.client, [7])).toMatchObject([{ state: "held" }]);
});

it("rejects each write when Redis is down", async () => {
  redis.client.disconnect();
  const written = await Promise.allSettled(slots.slice(0, 600).map((slot) => states.set(slot, tokens[slot] ?? ("" as SlotToken), "free")));
  expect(new Set(written.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(written.some((one) => one.status === "rejected" && one.reason instanceof FencedError)).toBe(false);
});
