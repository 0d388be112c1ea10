import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DirectoryStore } from "../../../../router/tenant/directory-store.js";
import { SessionPlaces } from "../../../../router/tenant/session-places.js";
import { newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let places: SessionPlaces;
const blue = "blue" as TenantName;
const ofBlue = { tenant: blue, incarnation: "" };
const refusals: string[] = [];
const metrics = { quotaReached: (quota: string) => void refusals.push(quota) };
const quotaReached = { status: 403, message: "session quota reached" };

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  refusals.length = 0;
  places = new SessionPlaces(redis.client, metrics);
  await new DirectoryStore(redis.client).createTenant({ name: blue, created: "", quotas: { sessions: 3 } });
});

/** Returns an id that is old enough for its creation to have ended in any case. */
const anOldId = (): SessionId => newSessionId(Date.now() - 120_000);
const taken = (): Promise<string[]> => redis.client.smembers(keys.tenantSessions(blue));

it("a tenant has as many as its quota says, counted over all routers", async () => {
  const routers = [places, new SessionPlaces(redis.client, metrics)];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => (routers[i % 2] ?? places).reserve(ofBlue, newSessionId(Date.now()))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: quotaReached });
  expect(await taken()).toHaveLength(3);
  expect(refusals).toEqual(Array.from({ length: 17 }, () => "sessions"));
});

it("the same session takes one place, and gives it back", async () => {
  const id = newSessionId(Date.now());
  for (let i = 0; i < 5; i++) expect(await places.reserve(ofBlue, id)).toBe(true);
  expect(await taken()).toEqual([id]);
  await places.release(blue, id);
  expect(await taken()).toEqual([]);
});

it("frees places without a session when they are needed, except those of creates in progress", async () => {
  const living = anOldId();
  await redis.client.hset(keys.session(living), "platform", "telegram");
  for (const id of [living, anOldId(), newSessionId(Date.now())]) await places.reserve(ofBlue, id);
  const next = newSessionId(Date.now());
  expect(await places.reserve(ofBlue, next)).toBe(true);
  expect(await taken()).toEqual(expect.arrayContaining([living, next]));
  await expect(places.reserve(ofBlue, newSessionId(Date.now()))).rejects.toMatchObject(quotaReached);
});

it("a tenant without a quota has no end, and one that is gone has no place", async () => {
  await new DirectoryStore(redis.client).createTenant({ name: "red", created: "", quotas: { sessions: null } });
  for (let i = 0; i < 5; i++)
    expect(await places.reserve({ tenant: "red" as TenantName, incarnation: "" }, newSessionId(Date.now()))).toBe(true);
  expect(await places.reserve({ tenant: "gone" as TenantName, incarnation: "" }, newSessionId(Date.now()))).toBe(false);
  await expect(places.reserve({ tenant: "default" as TenantName, incarnation: "" }, newSessionId(Date.now()))).rejects.toMatchObject({
    status: 503,
  });
});

it("a quota below what is used is kept to from then on", async () => {
  const store = new DirectoryStore(redis.client);
  for (let i = 0; i < 3; i++) await places.reserve(ofBlue, newSessionId(Date.now()));
  await store.changeTenant({ name: blue, created: "", quotas: { sessions: 3 } }, { name: blue, created: "", quotas: { sessions: 1 } });
  await expect(places.reserve(ofBlue, newSessionId(Date.now()))).rejects.toMatchObject(quotaReached);
  expect(await taken()).toHaveLength(3);
});
