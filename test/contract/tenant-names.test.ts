import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRow } from "../../shared/cluster/audit/audit-row.js";
import { slotOf } from "../../shared/contract/slot.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { platforms } from "../../shared/contract/platform.js";
import type { SessionCredentials } from "../../shared/contract/session.js";
import { qrValidityMs } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import { tickMs } from "../../shard/session/deadlines.js";
import { request, type ApiResponse } from "../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../harness/cluster.js";
import { EventStream } from "../harness/event-stream.js";
import { eventually } from "../harness/eventually.js";

/** A tenant is deleted, and a new one gets the same name. */
let cluster: HeldCluster;
beforeAll(async () => {
  cluster = await startHeldCluster();
});
afterAll(() => cluster.stop());

const origin = (): string => new URL(cluster.telegram[0] ?? "").origin;

function ask(key: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<ApiResponse> {
  const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return request(`${origin()}${path}`, { method, headers: { "x-api-key": key, ...json, ...more }, ...init });
}

async function aTenant(name: string, quotas: object = {}): Promise<string> {
  expect((await ask(cluster.adminKey, "POST", "/admin/tenants", { name, quotas })).status).toBe(201);
  const made = await ask(cluster.adminKey, "POST", "/admin/keys", { tenant: name, role: "tenant" });
  return (made.body as { key: string }).key;
}

async function auditOf(key: string): Promise<AuditRow[]> {
  return ((await ask(key, "GET", "/admin/audit?limit=1000")).body as { docs: AuditRow[] }).docs;
}

async function eventsOf(key: string): Promise<Record<string, unknown>[]> {
  const stream = await EventStream.open(`${origin()}/admin/events`, { "x-api-key": key, "last-event-id": "0-0" });
  const marked = await ask(key, "POST", "/telegram/session");
  const { id } = marked.body as SessionCredentials;
  await eventually("an event of its own session", () => stream.events.some(({ data }) => data["session"] === id));
  stream.close();
  await ask(key, "DELETE", `/admin/sessions/${id}`);
  return stream.events.map(({ data }) => data).filter(({ session }) => session !== undefined && session !== id);
}

describe.each(platforms)("%s: a tenant that gets the name of a deleted one", (platform) => {
  const name = `shop-${platform}`;
  let former: SessionCredentials;
  let key: string;

  beforeAll(async () => {
    const formerKey = await aTenant(name, { messagesPerDay: 1 });
    const webhook = { url: "https://former.example.com/hook", token: "t0ken" };
    const body = platform === "telegram" ? { label: "former customer", webhook } : { label: "former customer" };
    const repeatable = { "idempotency-key": "first" };
    former = (await ask(formerKey, "POST", `/${platform}/session`, body, repeatable)).body as SessionCredentials;
    const gone = async (): Promise<boolean> =>
      (await ask(formerKey, "GET", `/${platform}/session`, undefined, { id: former.id, "session-id": former.sessionId })).status === 404;
    await eventually("a code", async () => {
      const { status, body: shown } = await ask(formerKey, "GET", `/${platform}/session`, undefined, { id: former.id });
      return status === 200 && (shown as { qrcode: string }).qrcode !== "";
    });
    cluster.pass(qrValidityMs + tickMs);
    await eventually("the session is in the trash", async () => {
      cluster.pass(tickMs);
      return (await gone()) && (await cluster.redis.client.exists(keys.trash(keys.session(former.id as SessionId)))) === 1;
    });
    await eventually("its end on record", async () => (await auditOf(formerKey)).some(({ what }) => what === "expire-session"));
    await eventually("no session is counted", async () => {
      const { status } = await ask(cluster.adminKey, "DELETE", `/admin/tenants/${name}`);
      return status === 200;
    });
    key = await aTenant(name, { messagesPerDay: 1 });
  });

  it("finds nothing of it in its audit, which the operator still has whole", async () => {
    const shown = await auditOf(key);
    expect(shown.filter(({ session }) => session === former.id)).toEqual([]);
    expect(shown.filter(({ what }) => what === "delete-tenant")).toEqual([]);
    expect((await auditOf(cluster.adminKey)).some(({ session, tenant }) => session === former.id && tenant === name)).toBe(true);
  });

  it("cannot take its session out of the trash, and neither can the operator", async () => {
    for (const caller of [key, cluster.adminKey])
      expect((await ask(caller, "POST", `/admin/sessions/${former.id}/undelete`)).status).toBe(404);
    const bulk = await ask(key, "POST", "/admin/sessions/bulk", { action: "undelete", ids: [former.id] });
    expect(JSON.stringify(bulk.body)).toContain("404");
    const slot = slotOf(former.id as SessionId);
    expect(await cluster.redis.client.zscore(keys.slotTrash(slot), former.id)).toBeNull();
    expect(await cluster.redis.client.exists(keys.trash(keys.session(former.id as SessionId)))).toBe(0);
  });

  it("receives none of its events", async () => {
    expect(await eventsOf(key)).toEqual([]);
  });

  it("has none of its recorded outcomes", async () => {
    expect((await cluster.redis.client.keys(`ic*${name}*`)).filter((found) => !found.includes(former.id))).toEqual([]);
  });
});

it("a key of the former tenant that a router still knows does nothing in the next one", async () => {
  const name = "quick";
  const formerKey = await aTenant(name);
  const record = (await ask(cluster.adminKey, "GET", `/admin/tenants/${name}`)).body as { created: string };
  // Simulates a router that does not know yet that the tenant was deleted and recreated.
  await cluster.redis.client.hset(keys.tenants, name, JSON.stringify({ name, created: "2000-01-01T00:00:00.000Z", quotas: {} }));
  const created = await ask(formerKey, "POST", "/telegram/session");
  expect([created.status, (created.body as { message?: string }).message]).toEqual([401, "invalid api key"]);
  await cluster.redis.client.hset(keys.tenants, name, JSON.stringify({ name, created: record.created, quotas: {} }));
  expect((await ask(formerKey, "POST", "/telegram/session")).status).toBe(201);
});
