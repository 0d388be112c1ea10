import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AuditRow } from "../../shared/cluster/audit/audit-row.js";
import type { SessionCredentials } from "../../shared/contract/session.js";
import { keys } from "../../shared/redis/keys.js";
import { request, type ApiResponse } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";

/** Keys of one tenant, and callers without a key, cannot block the operators' API. */
let cluster: TestCluster;
const sockets: Socket[] = [];
beforeAll(async () => {
  cluster = await startCluster();
  for (const name of ["acme", "other", "slow"]) expect((await ask(cluster.adminKey, "POST", "/admin/tenants", { name })).status).toBe(201);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => cluster.stop());

const origin = (): URL => new URL(cluster.telegram[0] ?? "");

function ask(key: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<ApiResponse> {
  const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return request(`${origin().origin}${path}`, { method, headers: { "x-api-key": key, ...json, ...more }, ...init });
}

async function aKey(tenant: string, role: string): Promise<{ id: string; key: string }> {
  return (await ask(cluster.adminKey, "POST", "/admin/keys", { tenant, role })).body as { id: string; key: string };
}

async function rows(): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  for (let after = ""; ; ) {
    const page = (await ask(cluster.adminKey, "GET", `/admin/audit?limit=1000&after=${after}`)).body as { docs: AuditRow[]; next: string };
    found.push(...page.docs);
    if (page.next === "") return found;
    after = page.next;
  }
}

/** Sends the headers of a request with a body, and one byte of the body. */
async function sendHalf(method: string, path: string, key: string | undefined): Promise<void> {
  const { hostname, port } = origin();
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const named = key === undefined ? "" : `x-api-key: ${key}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${named}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
}

it("a read key that lists the audit in a loop leaves an admin's calls alone", async () => {
  const { key } = await aKey("acme", "read");
  let over = false;
  const statuses = new Map<number, number>();
  const floods = Array.from({ length: 20 }, async () => {
    while (!over) {
      const { status } = await ask(key, "GET", "/admin/audit?limit=200");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  await eventually("the flood", () => (statuses.get(503) ?? 0) > 0);
  for (let n = 0; n < 15; n++) expect((await ask(cluster.adminKey, "GET", "/admin/audit?limit=10")).status).toBe(200);
  over = true;
  await Promise.all(floods);
});

describe("bodies that do not come", () => {
  it.each(["POST /admin/sessions/bulk", "POST /admin/tenants", "POST /admin/keys", "POST /admin/members/shard-1/undrain"])(
    "block nobody's %s, whoever sends them",
    async (route) => {
      const [method = "", path = ""] = route.split(" ");
      const { key } = await aKey("acme", "tenant");
      for (let n = 0; n < 20; n++) {
        await sendHalf(method, path, key);
        await sendHalf(method, path, cluster.adminKey);
      }
      // Any response but a server error shows that the request was admitted.
      for (let n = 0; n < 3; n++) expect((await ask(cluster.adminKey, method, path, {})).status).toBeLessThan(500);
    },
  );

  it("block no sign-in", async () => {
    for (let n = 0; n < 40; n++) await sendHalf("POST", "/admin/sign-in", undefined);
    const answer = await request(`${origin().origin}/admin/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: "wrong" }),
    });
    expect([answer.status, answer.body]).toEqual([401, { statusCode: 401, message: "invalid sign-in code" }]);
  });
});

describe("the weakest key", () => {
  it("counts in its tenant's rate with its calls of the operators' API", async () => {
    await ask(cluster.adminKey, "PATCH", "/admin/tenants/slow", { quotas: { requestsPerSecond: 5 } });
    const { key } = await aKey("slow", "create");
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(key, "GET", "/admin/self")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(40);
    expect(refused[0]?.body).toEqual({ statusCode: 429, message: "too many requests" });
    expect(refused[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
    // An operator belongs to no tenant.
    for (let n = 0; n < 20; n++) expect((await ask(cluster.adminKey, "GET", "/admin/self")).status).toBe(200);
  });

  it("fills neither the audit nor the log, and pushes out no change", async () => {
    const { id, key } = await aKey("other", "create");
    const { id: session } = (await ask(key, "POST", "/telegram/session")).body as SessionCredentials;
    for (let n = 0; n < 300; n++) await ask(key, "GET", "/admin/self");
    // The key's role forbids the call, and repeats are only counted.
    for (let n = 0; n < 300; n++) await ask(key, "GET", "/admin/tenants");
    await eventually("its rows", async () => (await rows()).some(({ who, what }) => who === id && what === "list-tenants"));
    const own = (await rows()).filter(({ who }) => who === id);
    expect(own.map(({ what, status, count }) => [what, status, count])).toEqual([
      ["create-session", 201, 1],
      ["get-self", 200, 1],
      ["list-tenants", 403, 1],
    ]);
    expect(own[0]?.session).toBe(session);
    // Changes are stored in a separate stream.
    const changes = await cluster.redis.client.xrange(keys.audit, "-", "+");
    expect(
      changes.map(([, fields]) => fields[1] ?? "").filter((text) => text.includes("get-self") || text.includes("list-tenants")),
    ).toEqual([]);
  });
});

describe("a valid key that probes for other tenants' resources", () => {
  it.each(["telegram", "whatsapp"])("%s: is named in the audit", async (platform) => {
    const { id, key } = await aKey("other", "tenant");
    const theirs = (await ask(cluster.adminKey, "POST", `/${platform}/session`)).body as SessionCredentials;
    expect((await ask(key, "GET", `/${platform}/session`, undefined, { id: theirs.id })).status).toBe(404);
    expect((await ask(key, "DELETE", `/${platform}/session`, undefined, { id: theirs.id })).status).toBe(404);
    const row = (what: string): Partial<AuditRow> => ({ who: id, what, tenant: "other", session: "", status: 404, from: "127.0.0.1" });
    await eventually("both", async () => (await rows()).filter(({ who }) => who === id).length === 2);
    expect((await rows()).filter(({ who }) => who === id)).toMatchObject([row("refused-call"), row("delete-session")]);
  });
});
