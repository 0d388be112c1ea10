import { afterAll, beforeAll, expect, it } from "vitest";
import { buryMember } from "../../../../deploy/supervisor/bury-member.js";
import { join, readMembers } from "../../../../shared/cluster/membership.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { keys } from "../../../../shared/redis/keys.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

it("buries a member again that Redis shows alive after a failover, and no other life of it", async () => {
  const { client } = redis;
  const stopping = new AbortController();
  await join(client, { name: "a", incarnation: "a1", weight: 1, host: "h" });
  const state = async (): Promise<string | undefined> => (await readMembers(client))[0]?.state;
  const burying = buryMember({
    withRedis: (act) => act(client),
    member: "a",
    incarnation: "a1",
    why: "reaped",
    stopping: stopping.signal,
    log: silentLog,
  });
  await eventually("the burial", async () => (await state()) === "dead");
  // Restores the record as a replica had it.
  await client.hset(keys.member("a"), "st", "active", "why", "");
  await eventually("another burial", async () => (await state()) === "dead");
  await join(client, { name: "a", incarnation: "a2", weight: 1, host: "h" });
  stopping.abort();
  await burying;
  expect(await state()).toBe("active");
});
