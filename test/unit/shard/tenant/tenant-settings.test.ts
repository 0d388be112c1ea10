import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DirectoryStore } from "../../../../router/tenant/directory-store.js";
import type { TenantRecord } from "../../../../router/tenant/records.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { tenantProxyContext } from "../../../../shared/tenant/tenant-proxy.js";
import { keys } from "../../../../shared/redis/keys.js";
import { TenantSettings } from "../../../../shard/tenant/tenant-settings.js";
import { eventually } from "../../../harness/eventually.js";
import { testRing as ring } from "../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let subscriber: RedisClient;
let settings: TenantSettings;
let store: DirectoryStore;
let rerouted: string[][];
let paced: string[][];
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
  rerouted = [];
  paced = [];
  await redis.client.flushall();
  store = new DirectoryStore(redis.client);
  settings = new TenantSettings({
    redis: redis.client,
    subscriber,
    ring,
    onProxies: (tenants) => rerouted.push([...tenants]),
    onPaces: (tenants) => paced.push([...tenants]),
    log: silentLog,
  });
});
afterEach(() => settings.stop());

it("applies and follows the quotas that a shard enforces", async () => {
  await store.createTenant(tenant(red, { webhooks: 7, sessions: 1 }));
  await settings.start();
  expect([settings.limitOf(red, "webhooks"), settings.limitOf(blue, "webhooks")]).toEqual([7, undefined]);
  await store.createTenant(tenant(blue, { inFlight: 3 }));
  await store.changeTenant(tenant(blue, { inFlight: 3 }), tenant(blue, { webhooks: 2 }));
  await eventually("blue's", () => Promise.resolve(settings.limitOf(blue, "webhooks") === 2));
  await store.changeTenant(tenant(blue, { webhooks: 2 }), tenant(blue, { webhooks: null }));
  await eventually("none of blue", () => Promise.resolve(settings.limitOf(blue, "webhooks") === undefined));
  expect(settings.limitOf(red, "webhooks")).toBe(7);
  await store.deleteTenant(red);
  await eventually("none of red", () => Promise.resolve(settings.limitOf(red, "webhooks") === undefined));
});

it("what it sees of a tenant is nothing else, and what cannot be read is no quota", async () => {
  await store.createTenant(tenant(blue, { webhooks: 2, sessions: 5 }));
  await store.createTenant(tenant(red, { sessions: 5 }));
  expect(await redis.client.hgetall(keys.tenantQuotas)).toEqual({
    blue: '{"webhooks":2}',
    "@": expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  await redis.client.hset(keys.tenantQuotas, { red: "{", blue: '{"webhooks":"2"}' });
  await settings.start();
  expect([settings.limitOf(red, "webhooks"), settings.limitOf(blue, "webhooks")]).toEqual([undefined, undefined]);
});

it("follows the pace of tenants with their own setting, and reports changed tenants", async () => {
  const withPace = (name: TenantName, pace: TenantRecord["pace"], quotas: TenantRecord["quotas"] = {}): TenantRecord => ({
    ...tenant(name, quotas),
    pace: pace ?? {},
  });
  const change = (before: TenantRecord, after: TenantRecord): Promise<string> => store.changeTenant(before, after);
  await store.createTenant(withPace(red, { sendsPerMinute: 5, newContactsPerHour: null }));
  await settings.start();
  expect([settings.paceOf(red), settings.paceOf(blue), paced]).toEqual([{ sendsPerMinute: 5 }, {}, [["red"]]]);
  const steps = [
    withPace(blue, {}, { webhooks: 1 }),
    withPace(blue, { newContactsPerHour: 0 }, { webhooks: 2 }),
    withPace(blue, { newContactsPerHour: 0 }, { webhooks: 3 }),
    withPace(blue, { newContactsPerHour: null }, { webhooks: 4 }),
  ];
  await store.createTenant(tenant(blue, {}));
  let before = tenant(blue, {});
  for (const after of steps) {
    expect(await change(before, after)).toBe("DONE");
    await eventually("the quota", () => Promise.resolve(settings.limitOf(blue, "webhooks") === after.quotas.webhooks));
    expect(settings.paceOf(blue)).toEqual(after.pace?.newContactsPerHour === 0 ? { newContactsPerHour: 0 } : {});
    before = after;
  }
  expect(paced).toEqual([["red"], ["blue"], ["blue"]]);
  await store.deleteTenant(red);
  await eventually("none of red", () => Promise.resolve(settings.paceOf(red).sendsPerMinute === undefined));
  expect([paced.at(-1), await redis.client.hgetall(keys.tenantQuotas)]).toEqual([
    ["red"],
    { blue: '{"webhooks":4}', "@": expect.any(String) as string },
  ]);
});

it.each(['{"pace":{"sendsPerMinute":-1}}', '{"pace":{"sendsPerMinute":0.5}}', '{"pace":{"newContactsPerHour":1e9}}', '{"pace":5}'])(
  "uses the deployment's pace instead of an invalid one: %s",
  async (stored) => {
    await redis.client.hset(keys.tenantQuotas, { red: stored, "@": "1" });
    await settings.start();
    expect(settings.paceOf(red)).toEqual({});
  },
);

it("routes a tenant's sessions through its proxy, and notifies them when it changes", async () => {
  const seal = (name: TenantName, proxy: string): string => ring.seal(Buffer.from(proxy), tenantProxyContext(name));
  await store.createTenant(tenant(red, {}), seal(red, "http://one.example.com:3128"));
  expect(settings.proxyOf(red)).toBeUndefined();
  await settings.start();
  expect([settings.proxyOf(red), settings.proxyOf(blue)]).toEqual(["http://one.example.com:3128", ""]);
  await store.createTenant(tenant(blue, { webhooks: 1 }));
  await store.changeTenant(tenant(blue, { webhooks: 1 }), tenant(blue, { webhooks: 1 }), seal(blue, "http://two.example.com:3128"));
  await eventually("blue's", () => Promise.resolve(settings.proxyOf(blue) === "http://two.example.com:3128"));
  // Seals the same proxy again.
  await store.changeTenant(tenant(red, {}), tenant(red, { webhooks: 2 }), seal(red, "http://one.example.com:3128"));
  await eventually("red's quota", () => Promise.resolve(settings.limitOf(red, "webhooks") === 2));
  expect(rerouted).toEqual([["blue"]]);
  await store.changeTenant(tenant(blue, { webhooks: 1 }), tenant(blue, { webhooks: 3 }));
  await eventually("blue's quota", () => Promise.resolve(settings.limitOf(blue, "webhooks") === 3));
  expect(settings.proxyOf(blue)).toBe("http://two.example.com:3128");
  await store.changeTenant(tenant(blue, { webhooks: 3 }), tenant(blue, { webhooks: 3 }), "");
  await eventually("none of blue", () => Promise.resolve(settings.proxyOf(blue) === ""));
  await store.deleteTenant(red);
  await eventually("none of red", () => Promise.resolve(settings.proxyOf(red) === ""));
  expect(rerouted).toEqual([["blue"], ["blue"], ["red"]]);
  expect(await redis.client.exists(keys.tenantProxies)).toBe(0);
});

it("a proxy that cannot be opened is not taken for none", async () => {
  await store.createTenant(tenant(red, {}), ring.seal(Buffer.from("http://one.example.com:3128"), tenantProxyContext(blue)));
  await settings.start();
  expect(settings.proxyOf(red)).toBeUndefined();
});
