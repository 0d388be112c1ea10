import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DirectoryStore } from "../../../../router/tenant/directory-store.js";
import type { TenantRecord } from "../../../../router/tenant/records.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { keys } from "../../../../shared/redis/keys.js";
import { TenantQuotas } from "../../../../shard/tenant/tenant-quotas.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let subscriber: RedisClient;
let quotas: TenantQuotas;
let store: DirectoryStore;
const [blue, red] = ["blue" as TenantName, "red" as TenantName];
const tenant = (name: TenantName, given: TenantRecord["quotas"]): TenantRecord => ({ name, created: "", quotas: given });

beforeAll(async () => {
  redis = await startRedis();
  subscriber = await connectRedis(redis.url, "subscriber", silentLog);
});
afterAll(async () => {
  subscriber.disconnect();
  await redis.stop();
});
beforeEach(async () => {
  await redis.client.flushall();
  store = new DirectoryStore(redis.client);
  quotas = new TenantQuotas({ redis: redis.client, subscriber, log: silentLog });
});
afterEach(() => quotas.stop());

it("a shard knows the quotas that it keeps, and follows them", async () => {
  await store.createTenant(tenant(red, { webhooks: 7, sessions: 1 }));
  await quotas.start();
  expect([quotas.limitOf(red, "webhooks"), quotas.limitOf(blue, "webhooks")]).toEqual([7, undefined]);
  await store.createTenant(tenant(blue, { inFlight: 3 }));
  await store.changeTenant(tenant(blue, { inFlight: 3 }), tenant(blue, { webhooks: 2 }));
  await eventually("blue's", () => Promise.resolve(quotas.limitOf(blue, "webhooks") === 2));
  await store.changeTenant(tenant(blue, { webhooks: 2 }), tenant(blue, { webhooks: null }));
  await eventually("none of blue", () => Promise.resolve(quotas.limitOf(blue, "webhooks") === undefined));
  expect(quotas.limitOf(red, "webhooks")).toBe(7);
  await store.deleteTenant(red);
  await eventually("none of red", () => Promise.resolve(quotas.limitOf(red, "webhooks") === undefined));
});

it("what it sees of a tenant is nothing else, and what cannot be read is no quota", async () => {
  await store.createTenant(tenant(blue, { webhooks: 2, sessions: 5 }));
  await store.createTenant(tenant(red, { sessions: 5 }));
  expect(await redis.client.hgetall(keys.tenantQuotas)).toEqual({
    blue: '{"webhooks":2}',
    "@": expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  await redis.client.hset(keys.tenantQuotas, { red: "{", blue: '{"webhooks":"2"}' });
  await quotas.start();
  expect([quotas.limitOf(red, "webhooks"), quotas.limitOf(blue, "webhooks")]).toEqual([undefined, undefined]);
});
