import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionCredentials } from "../../shared/contract/session.js";
import { newSessionId } from "../../shared/contract/ids.js";
import { keys } from "../../shared/redis/keys.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { request, type ApiResponse } from "../harness/api.js";
import { EventStream } from "../harness/event-stream.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { silentLog } from "../../shared/log/logger.js";
import { TestProxy } from "../harness/test-proxy.js";

/** Three tenants share two routers, as real processes. Each sees only its own data, and an operator's change applies at every router. */
let gateway: Gateway;
let proxies: TestProxy[];
const login = { user: "ann", password: "c0rrect-h0rse" };

interface Tenant {
  readonly name: string;
  readonly key: string;
  readonly sessions: Record<Platform, SessionCredentials>;
}
const names = ["blue", "red", "green"];
const tenants: Tenant[] = [];

beforeAll(async () => {
  // Proxies of a tenant's sessions and of a key's sessions.
  proxies = await Promise.all((["socks5", "http", "socks5", "http"] as const).map((kind) => TestProxy.start({ kind, login })));
  gateway = await startGateway({ routers: 2, shards: 2, env: { PROXY_ALLOW: proxies.map(({ host }) => host).join(",") } });
  for (const name of names) {
    expect(await admin("POST", "/admin/tenants", { name })).toMatchObject({ status: 201, body: { name } });
    const { key } = await aKey({ tenant: name, role: "tenant", label: `all of ${name}` });
    const made = await Promise.all(platforms.map(async (platform) => [platform, await create(platform, key)] as const));
    tenants.push({ name, key, sessions: Object.fromEntries(made) as Record<Platform, SessionCredentials> });
  }
});
afterAll(async () => {
  await gateway.stop();
  for (const proxy of proxies) await proxy.stop();
});

const origin = (router = 0): string => new URL(gateway.telegram[router] ?? "").origin;

function call(url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<ApiResponse> {
  const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  return request(url, { method, headers: { ...headers, ...json }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

function admin(method: string, path: string, body?: unknown, key = gateway.adminKey, router = 0): Promise<ApiResponse> {
  return call(`${origin(router)}${path}`, method, { "x-api-key": key }, body);
}

async function aKey(given: {
  tenant?: string;
  role: string;
  label?: string;
  expires?: string;
  proxy?: string;
}): Promise<{ id: string; key: string }> {
  const response = await admin("POST", "/admin/keys", given);
  expect(response.status).toBe(201);
  return response.body as { id: string; key: string };
}

async function create(platform: Platform, key: string, router = 0): Promise<SessionCredentials> {
  const response = await call(`${gateway[platform][router] ?? ""}/session`, "POST", { "x-api-key": key });
  if (response.status !== 201) throw new Error(`POST /session: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body as SessionCredentials;
}

const notFound = { status: 404, body: { statusCode: 404, message: "session not found" } };
const text = { type: "text", text: "hello", phone: "4915112345678" };

/** Every endpoint of a session. The last one ends the session. */
const endpoints: readonly [Platform | "both", string, string, unknown?][] = [
  ["both", "GET", "/session"],
  ["both", "POST", "/message", text],
  ["both", "POST", "/message", {}],
  ["both", "POST", "/typing", { phone: "4915112345678", type: "text" }],
  ["both", "POST", "/status", { type: "text", text: "hello" }],
  ["both", "GET", "/group"],
  ["both", "GET", "/group/1"],
  ["both", "GET", "/group/member?groupId=1"],
  ["both", "GET", "/channel"],
  ["both", "GET", "/channel/1"],
  ["both", "GET", "/channel/message?channelId=1"],
  ["telegram", "POST", "/session/password", { password: "x" }],
  ["both", "PUT", "/session/webhook", { url: "", token: "" }],
  ["both", "POST", "/session/reset"],
  ["both", "DELETE", "/session"],
];

describe.each(platforms)("a %s session", (platform) => {
  const rows = endpoints.filter(([of]) => of === "both" || of === platform);

  it.each(rows)("%s %s %s is its own tenant's alone", async (_, method, path, body) => {
    for (const router of [0, 1]) {
      const url = `${gateway[platform][router] ?? ""}${path}`;
      for (const { key, sessions } of tenants) {
        const nobody = await call(url, method, { id: newSessionId(Date.now()), "x-api-key": key }, body);
        expect(nobody).toMatchObject(notFound);
        for (const other of tenants.filter((tenant) => tenant.key !== key)) {
          const { id, sessionId } = other.sessions[platform];
          const alone = await call(url, method, { id, "x-api-key": key }, body);
          const withSecret = await call(url, method, { id, "session-id": sessionId, "x-api-key": key }, body);
          const keyAsSecret = await call(url, method, { id, "session-id": key }, body);
          for (const response of [alone, withSecret, keyAsSecret]) {
            expect([response.status, response.body, headersOf(response)]).toEqual([nobody.status, nobody.body, headersOf(nobody)]);
          }
        }
        if (method !== "DELETE") {
          const own = await call(url, method, { id: sessions[platform].id, "x-api-key": key }, body);
          expect(own.status).not.toBe(401);
          expect(own.body).not.toEqual(notFound.body);
        }
      }
    }
  });
});

/** Returns all headers except the request id and the date. */
function headersOf({ headers }: ApiResponse): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== "date" && name !== "x-request-id"));
}

describe("the admin api", () => {
  it("POST /admin/sessions/{id}/undelete hides another tenant's", async () => {
    const undelete = (id: string, key: string): Promise<ApiResponse> => admin("POST", `/admin/sessions/${id}/undelete`, undefined, key);
    for (const { key, sessions } of tenants) {
      expect(await undelete(newSessionId(Date.now()), key)).toMatchObject(notFound);
      for (const other of tenants.filter((tenant) => tenant.key !== key))
        expect(await undelete(other.sessions.telegram.id, key)).toMatchObject(notFound);
      expect((await undelete(sessions.telegram.id, key)).status).not.toBe(404);
    }
  });

  it.each<[string, string, unknown?]>([
    ["GET", "/admin/tenants"],
    ["POST", "/admin/tenants", { name: "mine" }],
    ["GET", "/admin/tenants/blue"],
    ["PATCH", "/admin/tenants/blue", { quotas: {} }],
    ["DELETE", "/admin/tenants/green"],
    ["GET", "/admin/keys"],
    ["POST", "/admin/keys", { role: "admin" }],
    ["PATCH", "/admin/keys/00000000000000000000", { proxy: null }],
    ["DELETE", "/admin/keys/00000000000000000000"],
  ])("%s %s is the operator's alone", async (method, path, body) => {
    const others = await Promise.all(["tenant", "create", "read"].map((role) => aKey({ tenant: "blue", role })));
    for (const { key } of others) expect(await admin(method, path, body, key)).toMatchObject({ status: 403, body: { statusCode: 403 } });
    for (const headers of [{}, { "x-api-key": "wrong" }] as Record<string, string>[])
      expect(await call(`${origin(1)}${path}`, method, headers, body)).toMatchObject({
        status: 401,
        body: { statusCode: 401, message: "invalid api key" },
      });
  });

  it("lists tenants and keys page by page, and never shows a key again", async () => {
    const first = await admin("GET", "/admin/tenants?limit=2");
    expect(first).toMatchObject({ status: 200, body: { docs: [{ name: "blue" }, { name: "default" }], next: "default" } });
    expect(await admin("GET", "/admin/tenants?limit=2&after=default")).toMatchObject({
      status: 200,
      body: { docs: [{ name: "green" }, { name: "red" }], next: "" },
    });
    const { id, key } = await aKey({ tenant: "red", role: "read", label: "dashboard", expires: "2099-01-01T00:00:00Z" });
    const listed = await admin("GET", "/admin/keys?tenant=red&limit=1000");
    expect((listed.body as { docs: { id: string }[] }).docs.find((doc) => doc.id === id)).toEqual({
      id,
      tenant: "red",
      role: "read",
      label: "dashboard",
      created: expect.stringMatching(/^\d{4}-/) as string,
      expires: "2099-01-01T00:00:00.000Z",
      proxy: null,
      lastUsed: null,
    });
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(JSON.stringify(listed.body)).not.toContain("blue");
  });

  it.each<[string, string, unknown, number, string]>([
    ["POST", "/admin/tenants", { name: "blue" }, 409, "tenant exists"],
    ["POST", "/admin/tenants", [], 400, "body must be an object"],
    ["POST", "/admin/tenants", { name: "x", owner: 1 }, 400, "unknown field owner"],
    ["GET", "/admin/tenants/nobody", undefined, 404, "tenant not found"],
    ["GET", "/admin/tenants/%62lue", undefined, 404, "tenant not found"],
    ["PATCH", "/admin/tenants/nobody", {}, 404, "tenant not found"],
    ["DELETE", "/admin/tenants/nobody", undefined, 404, "tenant not found"],
    ["DELETE", "/admin/tenants/default", undefined, 409, "tenant default always exists"],
    ["DELETE", "/admin/tenants/blue", undefined, 409, "tenant has sessions"],
    ["POST", "/admin/keys", { tenant: "nobody", role: "read" }, 404, "tenant not found"],
    ["POST", "/admin/keys", { role: "admin", proxies: [], via: 1 }, 400, "unknown field proxies\nunknown field via"],
    ["PATCH", "/admin/keys/x", { proxy: null }, 404, "key not found"],
    ["PATCH", "/admin/keys/00000000000000000000", { proxy: "ftp://x:1" }, 404, "key not found"],
    ["DELETE", "/admin/keys/x", undefined, 404, "key not found"],
    ["DELETE", "/admin/keys/00000000000000000000", undefined, 404, "key not found"],
    ["GET", "/admin/keys?limit=0", undefined, 400, "limit must be an integer from 1 to 1000"],
    ["GET", "/admin/keys?tenant=A", undefined, 400, "tenant must be 1 to 32 characters of a-z, 0-9 and -"],
  ])("%s %s %j: %i %s", async (method, path, body, statusCode, message) => {
    expect(await admin(method, path, body)).toMatchObject({ status: statusCode, body: { statusCode, message } });
  });
});

it("a session of the configured admin key belongs to the default tenant", async () => {
  const { id } = await create("telegram", gateway.adminKey);
  const { key } = await aKey({ tenant: "default", role: "tenant" });
  const request = (given: string): Promise<ApiResponse> => call(`${gateway.telegram[1] ?? ""}/session`, "GET", { id, "x-api-key": given });
  // The session was created at the other router.
  await eventually("the key", async () => (await request(key)).status === 200);
  expect(await request(key)).toMatchObject({ status: 200, body: { id, sessionId: "" } });
  expect(await request(tenants[0]?.key ?? "")).toMatchObject(notFound);
});

it("rejects a key that is revoked under load at both routers for good, and wherever a later key is valid", async () => {
  const blue = tenants[0];
  if (blue === undefined) throw new Error("no tenant");
  const { id, key } = await aKey({ tenant: "blue", role: "tenant" });
  // Requests are compared by the order of their beginnings and ends, which a busy machine does not change.
  let moment = 0;
  interface TimedCall {
    readonly began: number;
    readonly status: number;
    readonly ended: number;
  }
  const request = async (router: number, given: string): Promise<TimedCall> => {
    const began = moment++;
    const url = `${gateway.telegram[router] ?? ""}/session`;
    const { status } = await call(url, "GET", { id: blue.sessions.telegram.id, "x-api-key": given });
    return { began, status, ended: moment++ };
  };
  for (const router of [0, 1]) await eventually("the key", async () => (await request(router, key)).status === 200);
  const seen: readonly TimedCall[][] = [[], []];
  const loading = { on: true };
  const load = [0, 1, 0, 1].map(async (router) => {
    while (loading.on) seen[router]?.push(await request(router, key));
  });
  expect(await admin("DELETE", `/admin/keys/${id}`)).toMatchObject({ status: 200, body: { id } });
  const { key: later } = await aKey({ tenant: "blue", role: "tenant" });
  const acceptedAt = await Promise.all(
    [0, 1].map((router) =>
      eventually("the later key", async () => {
        const { status, ended } = await request(router, later);
        return status === 200 && { ended };
      }),
    ),
  );
  for (const router of [0, 1])
    await eventually("requests since", () => seen[router]?.some(({ began }) => began > (acceptedAt[router]?.ended ?? Infinity)));
  loading.on = false;
  await Promise.all(load);
  for (const router of [0, 1]) {
    const all = seen[router] ?? [];
    const refusedAt = Math.min(...all.filter(({ status }) => status === 401).map(({ ended }) => ended));
    const tooLate = all.filter(({ began, status }) => status === 200 && began > Math.min(refusedAt, acceptedAt[router]?.ended ?? 0));
    expect(tooLate).toEqual([]);
    expect([...new Set(all.map(({ status }) => status))].sort()).toEqual([200, 401]);
  }
});

describe("many sessions at once", () => {
  interface Line {
    readonly id: string;
    readonly status?: number;
  }
  const linesOf = async (path: string, key: string, body?: object): Promise<Line[]> => {
    const accept = { accept: "application/x-ndjson", "x-api-key": key, "x-request-id": "many-1" };
    const json: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${origin(1)}${path}`, { headers: { ...accept, ...json }, ...init });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    const lines = (await response.text()).split("\n");
    expect(lines.pop()).toBe("");
    return lines.map((line) => JSON.parse(line) as Line);
  };

  it("are listed line by line, and deleted by one call: its own tenant's alone, each on record", async () => {
    const [blue, red] = tenants;
    const made = await Promise.all(platforms.map((platform) => create(platform, blue?.key ?? "")));
    const mine = made.map(({ id }) => id);
    const listed = (await linesOf("/admin/sessions", blue?.key ?? "")).map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining(mine));
    expect(listed).not.toContain(red?.sessions.telegram.id);
    const others = red?.sessions.telegram.id ?? "";
    const lines = await linesOf("/admin/sessions/bulk", blue?.key ?? "", { action: "delete", ids: [...mine, others] });
    expect(lines.map(({ id, status }) => `${id} ${status}`).sort()).toEqual([...mine.map((id) => `${id} 200`), `${others} 404`].sort());
    expect((await linesOf("/admin/sessions", blue?.key ?? "")).filter(({ id }) => mine.includes(id))).toEqual([]);
    const onRecord = await eventually("three rows", async () => {
      const { body } = await admin("GET", "/admin/audit?tenant=blue&limit=1000");
      const rows = (body as { docs: Record<string, unknown>[] }).docs.filter(({ requestId }) => requestId === "many-1");
      const changes = rows.filter(({ what }) => what !== "list-sessions");
      return changes.length === 3 && changes;
    });
    expect(onRecord.map(({ what, session, status }) => `${String(what)} ${String(session)} ${String(status)}`).sort()).toEqual(
      ["change-sessions  200", ...mine.map((id) => `delete-session ${id} 200`)].sort(),
    );
  });
});

describe("GET /admin/events", () => {
  const events = (key: string, router = 0, headers: Record<string, string> = {}): Promise<EventStream> =>
    EventStream.open(`${origin(router)}/admin/events`, { "x-api-key": key, ...headers });

  it("streams every session's states at every router, and to tenants and readers only their own", async () => {
    const [blue, red] = tenants;
    const { key: reading } = await aKey({ tenant: "red", role: "read" });
    await eventually("the key", async () => (await admin("GET", "/admin/sessions", undefined, reading, 1)).status === 200);
    const streams = {
      all: [await events(gateway.adminKey), await events(gateway.adminKey, 1)],
      blue: [await events(blue?.key ?? "", 1)],
      red: [await events(red?.key ?? ""), await events(reading, 1)],
    };
    const made = await create("telegram", blue?.key ?? "");
    await call(`${gateway.telegram[0] ?? ""}/session`, "DELETE", { id: made.id, "x-api-key": blue?.key ?? "" });
    const others = await create("whatsapp", red?.key ?? "", 1);
    const of = (stream: EventStream, id: string): string[] =>
      stream.events.flatMap(({ name, data }) => (name === "session" && data["session"] === id ? [String(data["state"])] : []));
    for (const stream of [...streams.all, ...streams.blue])
      await eventually("both states", () => of(stream, made.id).join() === "awaiting-qr,deleted");
    for (const stream of [...streams.all, ...streams.red]) await eventually("one", () => of(stream, others.id).join() === "awaiting-qr");
    for (const stream of streams.red) expect(stream.events.filter(({ data }) => data["tenant"] !== "red")).toEqual([]);
    for (const stream of streams.blue) expect(stream.events.filter(({ data }) => data["tenant"] !== "blue")).toEqual([]);
    const [first] = streams.all;
    const event = first?.events.find(({ data }) => data["session"] === made.id);
    expect(event).toEqual({
      id: expect.stringMatching(/^\d+-\d+$/) as string,
      name: "session",
      data: {
        ...{ at: expect.stringMatching(/^\d{4}-/) as string, session: made.id, platform: "telegram", tenant: "blue" },
        ...{ state: "awaiting-qr", member: expect.stringMatching(/^shard-[12]$/) as string },
      },
    });
    // The client reconnects at the other router and receives each missed event once.
    const again = await events(blue?.key ?? "", 0, { "last-event-id": event?.id ?? "" });
    await eventually("the rest", () => of(again, made.id).join() === "deleted");
    for (const stream of [...Object.values(streams).flat(), again]) stream.close();
  });

  it("is nothing for a key that creates, a position that is none, or a parameter", async () => {
    const { key } = await aKey({ tenant: "blue", role: "create" });
    expect(await admin("GET", "/admin/events", undefined, key)).toMatchObject({ status: 403 });
    expect(await admin("GET", "/admin/events?tenant=blue")).toMatchObject({ status: 400, body: { message: "unknown field tenant" } });
    const wrong = await call(`${origin()}/admin/events`, "GET", { "x-api-key": gateway.adminKey, "last-event-id": "yesterday" });
    expect(wrong).toMatchObject({ status: 400, body: { statusCode: 400, message: "last-event-id must be the id of an event" } });
  });

  it("ends when its key is revoked, and takes eight streams of a key", async () => {
    const { id, key } = await aKey({ tenant: "green", role: "tenant" });
    await eventually("the key", async () => (await admin("GET", "/admin/sessions", undefined, key, 1)).status === 200);
    const streams = await Promise.all(Array.from({ length: 8 }, () => events(key, 1)));
    expect(await admin("GET", "/admin/events", undefined, key, 1)).toMatchObject({
      status: 429,
      body: { statusCode: 429, message: "too many event streams" },
    });
    expect(await admin("DELETE", `/admin/keys/${id}`)).toMatchObject({ status: 200 });
    for (const stream of streams) {
      await eventually("its end", () => stream.ended);
      expect(stream.events.at(-1)).toMatchObject({ name: "end", data: { reason: "api key is no longer valid" } });
    }
  });
});

it("a key ends by itself at its time", async () => {
  const { key } = await aKey({ tenant: "red", role: "tenant", expires: new Date(Date.now() + 1_500).toISOString() });
  const request = (router: number): Promise<ApiResponse> =>
    call(`${gateway.telegram[router] ?? ""}/session`, "GET", { id: newSessionId(Date.now()), "x-api-key": key });
  for (const router of [0, 1])
    await eventually("its end", async () => {
      const { status } = await request(router);
      return status === 401;
    });
});

describe("the quota of sessions", () => {
  it("holds for creates at once over both routers, and a deletion makes room", async () => {
    const quota = 5;
    await admin("POST", "/admin/tenants", { name: "small", quotas: { sessions: quota } });
    const { key } = await aKey({ tenant: "small", role: "tenant" });
    await eventually(
      "the key at both",
      async () => (await call(`${gateway.telegram[1] ?? ""}/session`, "GET", { id: "x", "x-api-key": key })).status === 404,
    );
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        call(`${gateway[platforms[i % 4 < 2 ? 0 : 1]][i % 2] ?? ""}/session`, "POST", { "x-api-key": key }),
      ),
    );
    const made = responses.filter(({ status }) => status === 201);
    expect(made).toHaveLength(quota);
    for (const response of responses.filter(({ status }) => status !== 201))
      expect(response).toMatchObject({ status: 403, body: { statusCode: 403, message: "session quota reached" } });
    const first = made[0]?.body as SessionCredentials;
    const deleted = await Promise.all(
      platforms.map((platform) => call(`${gateway[platform][0] ?? ""}/session`, "DELETE", { id: first.id, "x-api-key": key })),
    );
    expect(deleted.map(({ status }) => status).sort()).toEqual([200, 404]);
    await create("telegram", key, 1);
    expect(await call(`${gateway.telegram[0] ?? ""}/session`, "POST", { "x-api-key": key })).toMatchObject({ status: 403 });
    expect(await admin("PATCH", "/admin/tenants/small", { quotas: { sessions: null } })).toMatchObject({
      status: 200,
      body: { name: "small", quotas: { sessions: null } },
    });
    await create("whatsapp", key, 1);
  });
});

describe("quotas of use", () => {
  const quotas = { requestsPerSecond: 20, burst: 10, messagesPerDay: 3 };
  let key = "";
  let session: SessionCredentials;
  beforeAll(async () => {
    await admin("POST", "/admin/tenants", { name: "busy", quotas });
    ({ key } = await aKey({ tenant: "busy", role: "tenant" }));
    session = await create("telegram", key);
    await eventually("the key at the other router", async () => (await get(1)).status === 200);
  });
  const get = (router: number): Promise<ApiResponse> =>
    call(`${gateway.telegram[router] ?? ""}/session`, "GET", { id: session.id, "session-id": session.sessionId });

  it("a rate is the tenant's over both routers, within a tenth, and says when to come again", async () => {
    const forMs = 5_000;
    let responses: ApiResponse[] = [];
    let admitted: ApiResponse[] = [];
    const shares: number[] = [];
    // The rate is never exceeded. It is lower only while the machine pauses, because a full bucket takes no more tokens.
    await eventually("the whole rate", async () => {
      responses = [];
      const startedAt = performance.now();
      const load = [0, 1, 0, 1].map(async (router) => {
        while (performance.now() - startedAt < forMs) responses.push(await get(router));
      });
      await Promise.all(load);
      const most = quotas.burst + (quotas.requestsPerSecond * (performance.now() - startedAt)) / 1_000;
      admitted = responses.filter(({ status }) => status === 200);
      shares.push(admitted.length / most);
      return admitted.length / most > 0.9 - quotas.burst / most;
    });
    expect(Math.max(...shares)).toBeLessThan(1.1);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused).toMatchObject({ body: { statusCode: 429, message: "too many requests" } });
    expect(refused?.headers.get("retry-after")).toBe("1");
    for (const response of [refused, admitted[0]]) {
      expect(response?.headers.get("ratelimit-policy")).toBe('"requests";q=10;w=1');
      expect(response?.headers.get("ratelimit")).toMatch(/^"requests";r=\d+;t=\d+$/);
    }
    const { headers } = await call(`${gateway.telegram[0] ?? ""}/session`, "GET", {
      id: tenants[0]?.sessions.whatsapp.id ?? "",
      "x-api-key": gateway.adminKey,
    });
    expect(headers.get("ratelimit")).toBeNull();
  });

  it("messages of a day are counted where they are sent, and those that were not sent are not", async () => {
    await admin("PATCH", "/admin/tenants/busy", { quotas: { requestsPerSecond: null, burst: null } });
    await eventually("no rate", async () => (await get(1)).headers.get("ratelimit") === null);
    const { id, sessionId } = session;
    const send = (router: number): Promise<ApiResponse> =>
      call(`${gateway.telegram[router] ?? ""}/message`, "POST", { id, "session-id": sessionId }, text);
    // Without a login no message is sent.
    for (let i = 0; i < 5; i++) expect(await send(i % 2)).toMatchObject({ status: 500, body: { message: "session not connected" } });
    expect(await admin("PATCH", "/admin/tenants/busy", { quotas: { messagesPerDay: 0 } })).toMatchObject({
      body: { usage: { messagesToday: 0 } },
    });
    for (const router of [0, 1]) {
      const refused = await eventually("the day's end", async () => {
        const response = await send(router);
        return response.status === 429 ? response : undefined;
      });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("a quota that nothing enforces is not taken", async () => {
    for (const name of ["uploads", "x"])
      expect(await admin("PATCH", "/admin/tenants/busy", { quotas: { [name]: 5 } })).toMatchObject({
        status: 400,
        body: { statusCode: 400, message: `unknown field quotas.${name}` },
      });
    expect(await admin("PATCH", "/admin/tenants/busy", { quotas: { burst: 5 } })).toMatchObject({
      status: 400,
      body: { message: "quotas.burst needs quotas.requestsPerSecond" },
    });
  });
});

it("a tenant goes when its sessions are gone, and its keys with it", async () => {
  await admin("POST", "/admin/tenants", { name: "brief" });
  const { key } = await aKey({ tenant: "brief", role: "tenant" });
  const { id } = await create("telegram", key);
  expect(await admin("DELETE", "/admin/tenants/brief")).toMatchObject({ status: 409, body: { message: "tenant has sessions" } });
  await call(`${gateway.telegram[0] ?? ""}/session`, "DELETE", { id, "x-api-key": key });
  expect(await admin("DELETE", "/admin/tenants/brief")).toMatchObject({ status: 200, body: { name: "brief" } });
  for (const router of [0, 1])
    await eventually("no such key", async () => {
      const response = await call(`${gateway.telegram[router] ?? ""}/session`, "POST", { "x-api-key": key });
      return response.status === 401 && (response.body as { message: string }).message === "invalid api key";
    });
});

const shown = (proxy: TestProxy): string => proxy.url.replace(/:\/\/.*@/, "://***@");
const wrongProxy = "proxy must be socks5://[user:password@]host:port or http://[user:password@]host:port";

describe("an api key's proxy", () => {
  const proxyOf = async (id: string, key?: string): Promise<unknown> =>
    ((await admin("GET", `/admin/sessions/${id}`, undefined, key)).body as { proxy: unknown }).proxy;
  const made = async (platform: Platform, key: string, body = {}, router = 0): Promise<string> => {
    const response = await call(`${gateway[platform][router] ?? ""}/session`, "POST", { "x-api-key": key }, body);
    expect(response.status).toBe(201);
    return (response.body as { id: string }).id;
  };

  it("is what the sessions that it creates go through, before their tenant's and after their own, for good", async () => {
    const [, , first, second] = proxies;
    if (first === undefined || second === undefined) throw new Error("no proxies");
    await admin("POST", "/admin/tenants", { name: "violet", proxy: second.url });
    const [before, others] = [first.targets.length, second.targets.length];
    const { id: keyId, key } = await aKey({ tenant: "violet", role: "tenant", proxy: first.url });
    const sessions = await Promise.all(platforms.map((platform) => made(platform, key)));
    await eventually("all go through it", () => first.targets.length >= before + platforms.length);
    expect(second.targets).toHaveLength(others);
    // Only an operator may see the proxy's address.
    for (const id of sessions) {
      expect(await proxyOf(id)).toEqual({ of: "key", address: shown(first) });
      expect(await proxyOf(id, key)).toEqual({ of: "key", address: "" });
    }
    const own = await made("telegram", key, { proxy: second.url });
    expect(await proxyOf(own, key)).toEqual({ of: "session", address: shown(second) });

    // The new proxy applies to sessions created from now on, at each router.
    expect(await admin("PATCH", `/admin/keys/${keyId}`, { proxy: second.url })).toMatchObject({
      status: 200,
      body: { id: keyId, tenant: "violet", role: "tenant", proxy: shown(second) },
    });
    expect(await proxyOf(await made("whatsapp", key))).toEqual({ of: "key", address: shown(second) });
    await eventually("the other router knows", async () => {
      const found = (await proxyOf(await made("whatsapp", key, {}, 1))) as { address: string };
      return found.address === shown(second);
    });
    expect(await admin("PATCH", `/admin/keys/${keyId}`, {})).toMatchObject({ status: 200, body: { proxy: shown(second) } });
    expect(await admin("PATCH", `/admin/keys/${keyId}`, { proxy: null })).toMatchObject({ status: 200, body: { proxy: null } });
    expect(await proxyOf(await made("whatsapp", key))).toEqual({ of: "tenant", address: shown(second) });
    const [one = "", another = ""] = sessions;
    // Existing sessions keep their proxy when the tenant's proxy or the key is removed.
    await admin("PATCH", "/admin/tenants/violet", { proxy: null });
    expect(await admin("DELETE", `/admin/keys/${keyId}`)).toMatchObject({ status: 200 });
    for (const id of sessions) expect(await proxyOf(id)).toEqual({ of: "key", address: shown(first) });
    expect(await admin("PUT", `/admin/sessions/${one}/proxy`, { proxy: first.url })).toMatchObject({
      body: { proxy: { of: "session", address: shown(first) } },
    });
    expect(await admin("DELETE", `/admin/sessions/${another}/proxy`)).toMatchObject({ body: { proxy: { of: "none", address: "" } } });
  });

  it("of an admin's key is that of its sessions too; it is sealed, listed without its login, and gone with the key or its tenant", async () => {
    const [, , first] = proxies;
    if (first === undefined) throw new Error("no proxy");
    const redis = await connectRedis(gateway.redisUrl, "reader", silentLog);
    await admin("POST", "/admin/tenants", { name: "grey" });
    const ofAdmin = await aKey({ role: "admin", proxy: first.url });
    const ofGrey = await aKey({ tenant: "grey", role: "create", proxy: first.url });
    expect(await proxyOf(await made("telegram", ofAdmin.key))).toEqual({ of: "key", address: shown(first) });
    const { docs } = (await admin("GET", "/admin/keys?limit=1000")).body as { docs: { id: string; proxy: unknown }[] };
    for (const { id } of [ofAdmin, ofGrey]) {
      expect(docs.find((doc) => doc.id === id)?.proxy).toBe(shown(first));
      expect(await redis.hget(keys.keyProxies, id)).toMatch(/^[A-Za-z0-9]\.[\w-]{38,}$/);
    }
    await admin("DELETE", `/admin/keys/${ofAdmin.id}`);
    await admin("DELETE", "/admin/tenants/grey");
    expect(await redis.hmget(keys.keyProxies, ofAdmin.id, ofGrey.id)).toEqual([null, null]);
    redis.disconnect();
    expect(gateway.printed()).not.toContain(login.password);
  });

  it("must be one, and is not for a key that creates nothing", async () => {
    const { id } = await aKey({ tenant: "blue", role: "read" });
    for (const [response, message] of [
      [await admin("POST", "/admin/keys", { role: "admin", proxy: "proxy.example.com" }), wrongProxy],
      [await admin("POST", "/admin/keys", { tenant: "blue", role: "read", proxy: proxies[0]?.url }), readProxy],
      [await admin("PATCH", `/admin/keys/${id}`, { proxy: proxies[0]?.url }), readProxy],
      [await admin("PATCH", `/admin/keys/${id}`, { role: "admin" }), "unknown field role"],
    ] as const)
      expect(response).toMatchObject({ status: 400, body: { message } });
  });
});

const readProxy = "proxy should be empty: the role read creates no sessions";

describe("a tenant's proxy", () => {
  const code = async (platform: Platform, { id, sessionId }: SessionCredentials): Promise<string> =>
    ((await call(`${gateway[platform][0] ?? ""}/session`, "GET", { id, "session-id": sessionId })).body as { qrcode: string }).qrcode;

  it("is what its sessions go through, but for those with one of their own, and another one holds at once", async () => {
    const [first, second] = proxies;
    if (first === undefined || second === undefined) throw new Error("no proxies");
    const made = await admin("POST", "/admin/tenants", { name: "purple", proxy: first.url });
    expect(made).toMatchObject({ status: 201, body: { name: "purple", proxy: shown(first) } });
    const { key } = await aKey({ tenant: "purple", role: "tenant" });
    const sessions = await Promise.all(platforms.map(async (platform) => ({ platform, session: await create(platform, key) })));
    for (const { platform, session } of sessions) await eventually("a code", async () => (await code(platform, session)) !== "");
    expect(first.targets.length).toBeGreaterThanOrEqual(platforms.length);
    expect(second.targets).toEqual([]);

    const own = await call(`${gateway.telegram[0] ?? ""}/session`, "POST", { "x-api-key": key }, { proxy: second.url });
    await eventually("a code", async () => (await code("telegram", own.body as SessionCredentials)) !== "");
    expect(second.targets).toHaveLength(1);

    const [before, others] = [second.targets.length, first.targets.length];
    expect(await admin("PATCH", "/admin/tenants/purple", { proxy: second.url })).toMatchObject({ body: { proxy: shown(second) } });
    await eventually("both go through the other one", () => second.targets.length >= before + platforms.length);
    for (const { platform, session } of sessions) await eventually("a code", async () => (await code(platform, session)) !== "");
    expect(first.targets).toHaveLength(others);

    const redis = await connectRedis(gateway.redisUrl, "reader", silentLog);
    const { proxy } = (await admin("GET", "/admin/tenants/purple")).body as { proxy: string };
    const sealed = await redis.hget(keys.tenantProxies, "purple");
    redis.disconnect();
    expect([proxy, sealed?.includes(login.password)]).toEqual([shown(second), false]);
    expect(gateway.printed()).not.toContain(login.password);
  });

  it("must be one", async () => {
    for (const response of [
      await admin("POST", "/admin/tenants", { name: "pink", proxy: "proxy.example.com" }),
      await call(`${gateway.whatsapp[0] ?? ""}/session`, "POST", { "x-api-key": gateway.adminKey }, { proxy: "proxy.example.com" }),
    ])
      expect(response).toMatchObject({
        status: 400,
        body: { message: wrongProxy },
      });
  });
});
