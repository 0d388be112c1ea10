import { SchemaFollower } from "../../../../shared/cluster/schema/schema-follower.js";
import { raiseSchema } from "../../../../shared/cluster/schema/schema-record.js";
import { newestSchema } from "../../../../shared/cluster/schema/schema-version.js";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { hashOfKey, newApiKey, newKeyId } from "../../../../router/tenant/api-key.js";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { DirectoryStore } from "../../../../router/tenant/directory-store.js";
import { KeyDirectory, keysValidMs, type KeyDirectoryOptions } from "../../../../router/tenant/key-directory.js";
import { KeyUses } from "../../../../router/tenant/key-uses.js";
import type { KeyRole } from "../../../../router/tenant/principal.js";
import type { KeyRecord } from "../../../../router/tenant/records.js";
import { isTenantName, type TenantName } from "../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { keys } from "../../../../shared/redis/keys.js";
import { pollMs } from "../../../../shared/tenant/directory-watch.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let subscriber: RedisClient;
let store: DirectoryStore;
let uses: KeyUses;
let passedMs = 0;
const open: KeyDirectory[] = [];

const blue = "blue" as TenantName;
/** Lifetime of a key whose expiry a test awaits. It is long enough to see the key alive on a busy machine. */
const shortLifeMs = 3_000;

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
  passedMs = 0;
  store = new DirectoryStore(redis.client);
  uses = new KeyUses(store, silentLog);
});
afterEach(async () => {
  for (const directory of open.splice(0)) await directory.stop();
});

/** With `hears` false the router's notices are lost, as for a disconnected subscriber. */
async function aRouter({
  hears = true,
  configured = "",
  of = store,
}: { hears?: boolean; configured?: string; of?: KeyDirectoryOptions["store"] } = {}): Promise<KeyDirectory> {
  const deaf = { on: () => undefined, off: () => undefined, subscribe: () => Promise.resolve() } as unknown as RedisClient;
  const directory = new KeyDirectory({
    schema: new SchemaFollower({ redis: redis.client, written: newestSchema, log: silentLog }),
    store: of,
    subscriber: hears ? subscriber : deaf,
    configured: ConfiguredKeys.parse(configured),
    uses,
    log: silentLog,
    now: () => performance.now() + passedMs,
  });
  open.push(directory);
  await directory.start();
  return directory;
}

async function aKey(role: KeyRole, tenant: string, expires = ""): Promise<{ key: string; id: string }> {
  const key = newApiKey();
  const id = newKeyId(Date.now());
  const created = new Date().toISOString();
  if (tenant !== "" && isTenantName(tenant)) await store.createTenant({ name: tenant, created, quotas: {} });
  const record: KeyRecord = {
    id,
    hash: hashOfKey(key).toString("hex"),
    tenant: tenant as TenantName | "",
    role,
    label: "",
    created,
    expires,
  };
  expect(await store.createKey(record)).toBe("DONE");
  return { key, id };
}

it.each([true, false])("a key is known to every router, and gone once it is revoked (messages heard: %s)", async (hears) => {
  const routers = [await aRouter(), await aRouter({ hears })];
  const { key, id } = await aKey("tenant", "blue");
  for (const router of routers) await eventually("the key", async () => router.find(key) !== undefined);
  const { created: incarnation = "" } = (await store.read()).tenants.get(blue) ?? {};
  const found = { keyId: id, role: "tenant", tenant: "blue", incarnation };
  expect(routers.map((router) => router.find(key))).toEqual(routers.map(() => found));
  await store.deleteKey(id);
  for (const router of routers) await eventually("no key", async () => router.find(key) === undefined);
});

it("rejects a revoked key after the next poll, within a second", async () => {
  // Polls run one after the other, so the keys known at the start of a poll are the previous poll's result.
  const knownAtLook: boolean[] = [];
  const watched: KeyDirectoryOptions["store"] = {
    version: () => {
      knownAtLook.push(watching.router?.find(key) !== undefined);
      return store.version();
    },
    read: () => store.read(),
    createTenant: (tenant) => store.createTenant(tenant),
  };
  const { key, id } = await aKey("tenant", "blue");
  const watching: { router?: KeyDirectory } = {};
  watching.router = await aRouter({ hears: false, of: watched });
  expect(watching.router.find(key)).toMatchObject({ keyId: id });
  await store.deleteKey(id);
  const begunBefore = knownAtLook.length;
  await eventually("two looks", () => knownAtLook.length > begunBefore + 1);
  expect(knownAtLook[begunBefore + 1]).toBe(false);
  expect(2 * pollMs).toBeLessThanOrEqual(1_000);
});

it("what is kept of a key is its hash", async () => {
  const { key } = await aKey("admin", "");
  const stored = JSON.stringify(await redis.client.hgetall(keys.apiKeys));
  expect(key).toMatch(/^tl_[A-Za-z0-9_-]{43}$/);
  expect(stored).toContain(hashOfKey(key).toString("hex"));
  expect(stored).not.toContain(key.slice(3));
});

it("what its sessions go through comes with a key, changes with it, and is gone with it", async () => {
  const router = await aRouter();
  const { key, id } = await aKey("create", "blue");
  const known = async (): Promise<unknown> => {
    await router.refresh();
    return router.find(key);
  };
  expect(await known()).toEqual({ keyId: id, role: "create", tenant: "blue", incarnation: expect.any(String) as string });
  expect(await store.changeKeyProxy(id, "a.sealed")).toBe("DONE");
  expect(await known()).toEqual({
    keyId: id,
    role: "create",
    tenant: "blue",
    incarnation: expect.any(String) as string,
    sealedProxy: "a.sealed",
  });
  expect(await store.changeKeyProxy(id, "")).toBe("DONE");
  expect(await known()).toEqual({ keyId: id, role: "create", tenant: "blue", incarnation: expect.any(String) as string });
  await store.changeKeyProxy(id, "a.sealed");
  expect(await store.deleteKey(id)).toBe("DONE");
  expect(await store.changeKeyProxy(id, "a.sealed")).toBe("GONE");
  expect(await redis.client.hgetall(keys.keyProxies)).toEqual({});
});

it("a key ends when its time is over", async () => {
  const router = await aRouter();
  const { key } = await aKey("create", "blue", new Date(Date.now() + shortLifeMs).toISOString());
  await router.refresh();
  expect(router.find(key)).toMatchObject({ role: "create" });
  await eventually("its end", async () => router.find(key) === undefined);
});

it("a principal stands as long as its key does: not past its time, its revocation or its tenant's end; a configured one always", async () => {
  const directory = await aRouter({ configured: "admin:configured-key-of-16" });
  const given = {
    revoked: await aKey("read", "blue"),
    ended: await aKey("read", "blue", new Date(Date.now() + shortLifeMs).toISOString()),
    orphaned: await aKey("read", "green"),
  };
  await directory.refresh();
  const principals = Object.values(given).map(({ key }) => directory.find(key));
  const standing = (): boolean[] => principals.map((principal) => principal !== undefined && directory.stands(principal));
  expect(standing()).toEqual([true, true, true]);
  await store.deleteKey(given.revoked.id);
  await store.deleteTenant("green" as TenantName);
  await eventually("the end of all", () => standing().every((stands) => !stands));
  const configured = directory.find("configured-key-of-16");
  expect(configured !== undefined && directory.stands(configured)).toBe(true);
});

it("the tenant default always exists, and is made again where Redis lost it", async () => {
  const router = await aRouter();
  expect(router.tenant("default" as TenantName)).toMatchObject({ name: "default" });
  await redis.client.flushall();
  await eventually("it again", async () => (await store.read()).tenants.has("default" as TenantName));
});

it("of a Redis that has lost all that it held nothing is believed, and nothing is written there until that is back", async () => {
  await raiseSchema(redis.client, newestSchema);
  const router = await aRouter();
  const { key } = await aKey("tenant", "blue");
  await eventually("the key", () => router.find(key) !== undefined);
  await redis.client.flushall();
  await router.refresh();
  expect(router.find(key)).toMatchObject({ role: "tenant" });
  expect(await redis.client.dbsize()).toBe(0);
  passedMs = keysValidMs;
  expect(() => router.find(key)).toThrow(expect.objectContaining({ status: 503 }));
  await raiseSchema(redis.client, newestSchema);
  await router.refresh();
  expect(router.find(key)).toBeUndefined();
});

it("a tenant takes its keys with it: one of the same name has none of them", async () => {
  const router = await aRouter();
  const { key } = await aKey("tenant", "blue");
  const { key: other } = await aKey("tenant", "blue-2");
  const { key: admin } = await aKey("admin", "");
  expect(await store.deleteTenant(blue)).toBe("DONE");
  await router.refresh();
  expect(router.find(key)).toBeUndefined();
  await store.createTenant({ name: "blue", created: new Date().toISOString(), quotas: {} });
  await router.refresh();
  expect(router.find(key)).toBeUndefined();
  expect([router.find(other)?.role, router.find(admin)?.role]).toEqual(["tenant", "admin"]);
});

it("a tenant with sessions stays", async () => {
  await aRouter();
  await store.createTenant({ name: "blue", created: "", quotas: {} });
  await redis.client.sadd(keys.tenantSessions(blue), "6b01aa5342b4f53c9f4c7e33");
  expect(await store.deleteTenant(blue)).toBe("SESSIONS");
  expect(await store.deleteTenant("nobody" as TenantName)).toBe("GONE");
});

it("changes may be written twice, and no other is lost between", async () => {
  const made = { name: "blue", created: "now", quotas: {} };
  const changed = { ...made, quotas: { sessions: 3 } };
  expect([await store.createTenant(made), await store.createTenant(made)]).toEqual(["DONE", "DONE"]);
  expect(await store.createTenant({ ...made, created: "later" })).toBe("EXISTS");
  expect([await store.changeTenant(made, changed), await store.changeTenant(made, changed)]).toEqual(["DONE", "DONE"]);
  expect(await store.changeTenant(made, { ...made, quotas: { sessions: 4 } })).toBe("CHANGED");
  expect(await store.changeTenant({ ...made, name: "red" }, made)).toBe("GONE");
});

it("ignores an altered record and still reads the others", async () => {
  const router = await aRouter();
  const { key, id } = await aKey("tenant", "blue");
  const { key: whole } = await aKey("tenant", "blue");
  await redis.client.hset(keys.apiKeys, id, '{"role":"admin"}');
  await redis.client.set(keys.directoryVersion, "another");
  await router.refresh();
  expect([router.find(key), router.find(whole)?.role]).toEqual([undefined, "tenant"]);
});

it("accepts cached keys for a minute without Redis, then responds with 503, and still accepts configured keys", async () => {
  let away = false;
  const failing = {
    version: () => (away ? Promise.reject(new Error("away")) : store.version()),
    read: () => store.read(),
    createTenant: (...given: Parameters<DirectoryStore["createTenant"]>) => store.createTenant(...given),
  };
  const { key } = await aKey("tenant", "blue");
  const router = await aRouter({ of: failing, configured: "admin:boss" });
  away = true;
  await router.refresh();
  expect(router.find(key)).toMatchObject({ role: "tenant" });
  expect(router.find("nobody's")).toBeUndefined();
  passedMs = keysValidMs;
  for (const given of [key, "nobody's"]) expect(() => router.find(given)).toThrow(expect.objectContaining({ status: 503 }));
  expect(router.find("boss")).toMatchObject({ role: "admin" });
  away = false;
  await router.refresh();
  expect(router.find(key)).toMatchObject({ role: "tenant" });
});

it("the last use of a key is written when it stops at the latest, and nothing of one that was revoked", async () => {
  const router = await aRouter();
  const { key, id } = await aKey("tenant", "blue");
  const { key: gone, id: goneId } = await aKey("tenant", "blue");
  await router.refresh();
  router.find(key);
  router.find(gone);
  expect(await store.uses()).toEqual({});
  await store.deleteKey(goneId);
  await uses.stop();
  expect(Object.keys(await store.uses())).toEqual([id]);
});

it("finds a key that another router just created with one read, shared by all callers with unknown keys", async () => {
  let looks = 0;
  const counting: KeyDirectoryOptions["store"] = {
    version: () => {
      looks += 1;
      return store.version();
    },
    read: () => store.read(),
    createTenant: (tenant) => store.createTenant(tenant),
  };
  const router = await aRouter({ hears: false, of: counting });
  await router.learn();
  const { key, id } = await aKey("tenant", "blue");
  expect([router.mayBeNew(key), router.mayBeNew("a-key-of-somebody-else")]).toEqual([true, false]);
  const [before, startedAt] = [looks, performance.now()];
  await Promise.all(Array.from({ length: 1_000 }, () => router.learn()));
  expect(router.find(key)).toMatchObject({ keyId: id });
  for (let n = 0; n < 5; n += 1) await router.learn();
  // Four polls a second for unknown keys, and two that find changes without a notice. Each may have just begun.
  expect(looks - before).toBeLessThanOrEqual(((performance.now() - startedAt) / 1_000) * 6 + 2);
});
