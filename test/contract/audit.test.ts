import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRow } from "../../shared/cluster/audit/audit-row.js";
import { createSession, request, type ApiResponse } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";

/** Reads the audit log of a running system. */
let gateway: TestCluster;
const wrong = "a-wrong-key-that-is-long-enough";

beforeAll(async () => {
  gateway = await startCluster();
  // Failed attempts are counted, and recorded within a minute.
  for (let i = 0; i < 7; i++) expect((await admin("GET /admin/members", { "x-api-key": wrong })).status).toBe(401);
});
afterAll(() => gateway.stop());

type Headers = Record<string, string>;

async function ask(route: string, headers: Headers, body?: unknown): Promise<ApiResponse> {
  const [method = "", path = ""] = route.split(" ");
  const type: Headers = body === undefined ? {} : { "content-type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return await request(`${new URL(gateway.telegram[0] ?? "").origin}${path}`, { method, headers: { ...type, ...headers }, ...init });
}

const admin = (route: string, headers: Headers = {}, body?: unknown): Promise<ApiResponse> =>
  ask(route, { "x-api-key": gateway.adminKey, ...headers }, body);

async function rows(query = ""): Promise<AuditRow[]> {
  const { status, body } = await admin(`GET /admin/audit?limit=1000${query}`);
  expect(status).toBe(200);
  return (body as { docs: AuditRow[] }).docs;
}

/** Resolves with the row of one request once it is stored. */
const rowOf = (requestId: string): Promise<AuditRow> =>
  eventually(`row of ${requestId}`, async () => (await rows()).find((row) => row.requestId === requestId));

describe.each(["telegram", "whatsapp"] as const)("%s: what changes a session for good", (platform) => {
  it("create, reset, password, webhook and delete are on record, each with its session and outcome", async () => {
    const { credentials } = await createSession(gateway, platform);
    const pair = { id: credentials.id, "session-id": credentials.sessionId };
    const send = (route: string, requestId: string, body?: unknown): Promise<ApiResponse> =>
      ask(route.replace(" ", ` /${platform}`), { ...pair, "x-request-id": `${platform}-${requestId}` }, body);
    const created = await eventually("the row of its creation", async () => (await rows(`&session=${credentials.id}`))[0]);
    expect(created).toMatchObject({ who: "configured-1", what: "create-session", tenant: "default", from: "127.0.0.1", status: 201 });
    expect((await send("POST /session/reset", "reset")).status).toBe(200);
    if (platform === "telegram") {
      expect((await send("POST /session/password", "password", { password: "correct horse" })).status).toBe(400);
      expect((await send("PUT /session/webhook", "webhook", { url: "", token: "" })).status).toBe(200);
    }
    expect((await send("DELETE /session", "delete")).status).toBe(200);
    await rowOf(`${platform}-delete`);
    const ofSession = (await rows(`&session=${credentials.id}`)).map(({ who, what, status, session }) => ({ who, what, status, session }));
    const row = (what: string, status: number, who = "session"): object => ({ who, what, status, session: credentials.id });
    expect(ofSession).toEqual([
      row("create-session", 201, "configured-1"),
      row("reset-session", 200),
      ...(platform === "telegram" ? [row("submit-password", 400), row("set-webhook", 200)] : []),
      row("delete-session", 200),
    ]);
  });
});

it("every call of operators is on record, whatever comes of it", async () => {
  const asked: [string, number, unknown?][] = [
    ["GET /admin/members", 200],
    ["POST /admin/members/shard-1/drain", 409],
    ["POST /admin/members/shard-1/undrain", 200],
    ["PUT /admin/slots/7/pin", 200, { member: "shard-1" }],
    ["DELETE /admin/slots/7/pin", 200],
    ["POST /admin/sessions/0123456789abcdef01234567/undelete", 404],
  ];
  for (const [index, [route, status, body]] of asked.entries())
    expect([route, (await admin(route, { "x-request-id": `call-${index}` }, body)).status]).toEqual([route, status]);
  await rowOf(`call-${asked.length - 1}`);
  const told = (await rows()).filter(({ requestId }) => requestId.startsWith("call-"));
  expect(told.map(({ who, what, target, status }) => [who, what, target, status])).toEqual([
    ["configured-1", "list-members", "members", 200],
    ["configured-1", "drain-member", "members/shard-1/drain", 409],
    ["configured-1", "undrain-member", "members/shard-1/undrain", 200],
    ["configured-1", "pin-slot", "slots/7/pin", 200],
    ["configured-1", "unpin-slot", "slots/7/pin", 200],
    ["configured-1", "undelete-session", "sessions/0123456789abcdef01234567/undelete", 404],
  ]);
});

it("what an operator makes is named by its row, and so is the tenant that a call concerns", async () => {
  const made = (await admin("POST /admin/tenants", { "x-request-id": "made-tenant" }, { name: "acme" })).status;
  const key = await admin("POST /admin/keys", { "x-request-id": "made-key" }, { tenant: "acme", role: "read" });
  const { id } = key.body as { id: string };
  const keyChange = await admin(`PATCH /admin/keys/${id}`, { "x-request-id": "made-key-change" }, { proxy: null });
  const changed = await admin("PATCH /admin/tenants/acme", { "x-request-id": "made-change" }, { quotas: { sessions: 3 } });
  const again = await admin("POST /admin/tenants", { "x-request-id": "made-again" }, { name: "acme" });
  const revoked = await admin(`DELETE /admin/keys/${id}`, { "x-request-id": "made-revoked" });
  const deleted = await admin("DELETE /admin/tenants/acme", { "x-request-id": "made-delete" });
  const statuses = [made, ...[key, keyChange, changed, again, revoked, deleted].map(({ status }) => status)];
  expect(statuses).toEqual([201, 201, 200, 200, 409, 200, 200]);
  await rowOf("made-delete");
  const told = (await rows()).filter(({ requestId }) => requestId.startsWith("made-"));
  expect(told.map(({ what, target, tenant, status }) => [what, target, tenant, status])).toEqual([
    ["create-tenant", "tenants/acme", "acme", 201],
    ["create-key", `keys/${id}`, "acme", 201],
    ["change-key", `keys/${id}`, "acme", 200],
    ["change-tenant", "tenants/acme", "acme", 200],
    ["create-tenant", "", "", 409],
    ["delete-key", `keys/${id}`, "acme", 200],
    ["delete-tenant", "tenants/acme", "acme", 200],
  ]);
});

it("reads that a key repeats within a minute are one row beside the first", async () => {
  const { credentials } = await createSession(gateway);
  for (const id of ["read-1", "read-2", "read-3"]) await admin(`GET /admin/sessions/${credentials.id}`, { "x-request-id": id });
  const first = await rowOf("read-1");
  expect(first).toMatchObject({ what: "get-session", target: `sessions/${credentials.id}`, session: credentials.id, count: 1 });
  const sum = await eventually("the others", async () =>
    (await rows()).find(({ what, requestId }) => what === "get-session" && requestId === ""),
  );
  expect(sum).toMatchObject({ who: "configured-1", target: "", session: "", status: 200, count: 2 });
});

it("pages follow each other, since a time", async () => {
  const since = new Date().toISOString();
  const { credentials } = await createSession(gateway);
  const pair = { id: credentials.id, "session-id": credentials.sessionId };
  for (const id of ["page-1", "page-2", "page-3"]) await ask("POST /telegram/session/reset", { ...pair, "x-request-id": id });
  await rowOf("page-3");
  // Four rows: the session's creation and the three resets. Reads of the audit are recorded too, but name no session.
  const query = `GET /admin/audit?since=${since}&session=${credentials.id}`;
  const first = (await admin(`${query}&limit=2`)).body as { docs: AuditRow[]; next: string };
  const second = (await admin(`${query}&limit=2&after=${first.next}`)).body as { docs: AuditRow[]; next: string };
  const [created, ...others] = [...first.docs, ...second.docs];
  expect(created?.what).toBe("create-session");
  expect(others.map(({ requestId }) => requestId)).toEqual(["page-1", "page-2", "page-3"]);
  expect((await rows("&since=2999-01-01T00:00:00Z")).length).toBe(0);
  expect((await admin("GET /admin/audit?since=now")).status).toBe(400);
});

it("the newest first, page by page, and without what only read", async () => {
  const since = new Date().toISOString();
  await admin("GET /admin/slots/9", { "x-request-id": "newest-read" });
  for (const id of ["newest-1", "newest-2", "newest-3"])
    expect((await admin("PUT /admin/slots/9/pin", { "x-request-id": id }, { member: "shard-1" })).status).toBe(200);
  expect((await admin("PUT /admin/slots/9/pin", { "x-request-id": "newest-failed" }, { member: "4917212345678" })).status).toBe(404);
  expect((await admin("DELETE /admin/slots/9/pin", { "x-request-id": "newest-4" })).status).toBe(200);
  await Promise.all(["newest-read", "newest-failed", "newest-4"].map(rowOf));
  const found: AuditRow[] = [];
  for (let after = ""; ; ) {
    const { status, body } = await admin(`GET /admin/audit?order=newest&reads=0&since=${since}&limit=2&after=${after}`);
    expect(status).toBe(200);
    const { docs, next } = body as { docs: AuditRow[]; next: string };
    found.push(...docs);
    if (next === "") break;
    after = next;
  }
  const told = found.filter(({ requestId }) => requestId.startsWith("newest-")).map(({ requestId, target }) => [requestId, target]);
  expect(told.filter(([id]) => id !== "newest-failed")).toEqual([
    ["newest-4", "slots/9/pin"],
    ["newest-3", "slots/9/pin"],
    ["newest-2", "slots/9/pin"],
    ["newest-1", "slots/9/pin"],
  ]);
  expect(told).toContainEqual(["newest-failed", "slots/9/pin"]);
  expect(found.some(({ what }) => ["get-slot", "list-audit", "get-session"].includes(what))).toBe(false);
  expect((await admin("GET /admin/audit?order=desc")).body).toMatchObject({
    message: "order must be one of the following values: oldest, newest",
  });
});

it("wrong keys are one row for their address and minute, and no secret stands in the audit", async () => {
  let after = "";
  const look = async (): Promise<AuditRow | undefined> => {
    const { docs, next } = (await admin(`GET /admin/audit?limit=1000&after=${after}`)).body as { docs: AuditRow[]; next: string };
    if (next !== "") after = next;
    // Each read of the audit is recorded itself.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return docs.find(({ what }) => what === "failed-authentication");
  };
  const row = await eventually("their row", look);
  expect(row).toMatchObject({ who: "unknown", from: "127.0.0.1", requestId: "", count: 7 });
  const kept = JSON.stringify(await rows());
  for (const secret of [wrong, gateway.adminKey, "correct horse"]) expect(kept).not.toContain(secret);
});
