import { afterAll, beforeAll, expect, it } from "vitest";
import { proxiesSchema } from "../../shared/schema/schema-version.js";
import { createSession, request, type Answer } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";

/** A cluster that is updated: while processes of before may run, which know no proxies, and no pace of a tenant, none is taken. */
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster({ schema: proxiesSchema - 1 });
}, 120_000);
afterAll(() => cluster.stop());

it("takes no proxy before every process knows them, by whichever call", async () => {
  const proxy = "socks5://ann:c0rrect-h0rse@proxy.example.com:1080";
  const call = (route: string, body: object): Promise<Answer> => {
    const [method = "", path = ""] = route.split(" ");
    return request(`${new URL(cluster.telegram[0] ?? "").origin}${path}`, {
      method,
      headers: { "x-api-key": cluster.adminKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  };
  const { id } = (await createSession(cluster)).credentials;
  const keyId = ((await call("POST /admin/keys", { role: "admin" })).body as { id: string }).id;
  const calls: [route: string, body: object, taken: number][] = [
    ["POST /telegram/session", { proxy }, 201],
    ["POST /whatsapp/session", { proxy }, 201],
    ["POST /admin/tenants", { name: "acme", proxy }, 201],
    ["PATCH /admin/tenants/default", { proxy }, 200],
    [`PUT /admin/sessions/${id}/proxy`, { proxy }, 200],
    ["POST /admin/keys", { role: "admin", proxy }, 201],
    [`PATCH /admin/keys/${keyId}`, { proxy }, 200],
  ];
  const refused = { status: 409, body: { statusCode: 409, message: "a proxy can be set once every router and shard has this version" } };
  for (const [route, body] of calls) expect(await call(route, body)).toMatchObject(refused);
  const pace = { sendsPerMinute: 60 };
  const paced: [route: string, body: object, taken: number][] = [
    ["POST /admin/tenants", { name: "paced", pace }, 201],
    ["PATCH /admin/tenants/default", { pace }, 200],
  ];
  const refusedPace = { status: 409, body: { statusCode: 409, message: "a pace can be set once every router and shard has this version" } };
  for (const [route, body] of paced) expect(await call(route, body)).toMatchObject(refusedPace);
  expect((await call("PATCH /admin/tenants/default", { pace: null })).status).toBe(200);
  // Who asks for none is not concerned.
  expect((await call("POST /telegram/session", {})).status).toBe(201);
  expect((await call("PATCH /admin/tenants/default", { proxy: null })).status).toBe(200);
  const [first, ...others] = calls;
  if (first === undefined) throw new Error("no calls");
  // Half a minute after all were heard of.
  await eventually("a proxy is taken", async () => (await call(first[0], first[1])).status === first[2], 90_000);
  for (const [route, body, taken] of [...others, ...paced]) expect([route, (await call(route, body)).status]).toEqual([route, taken]);
}, 150_000);
