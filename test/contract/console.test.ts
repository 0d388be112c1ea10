import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStaticFiles } from "../../router/endpoint/static/static-file.js";
import { keys } from "../../shared/redis/keys.js";
import { makeSignInCode } from "../../shared/tenant/sign-in-code.js";
import { createSession } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";

/** Tests the console's page and files over HTTP. Browser tests cover their behaviour. */
let cluster: TestCluster;
let origin: string;

beforeAll(async () => {
  cluster = await startCluster();
  origin = new URL(cluster.telegram[0] ?? "").origin;
});
afterAll(() => cluster.stop());

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${origin}${path}`, init);

describe("POST /admin/sign-in", () => {
  const signIn = async (body: unknown): Promise<{ status: number; body: Record<string, string> }> => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await get("/admin/sign-in", init);
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  const asAdmin = (path: string, key = ""): Promise<Response> => get(path, { headers: { "x-api-key": key } });

  it("makes an admin key with an end of a code, once; it is listed, and the audit has who it was", async () => {
    const code = await makeSignInCode(cluster.redis.client);
    const { status, body } = await signIn({ code });
    expect(status).toBe(201);
    const hours = (Date.parse(body["expires"] ?? "") - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11);
    expect(hours).toBeLessThanOrEqual(12);
    const listed = (await (await asAdmin("/admin/keys", body["key"])).json()) as { docs: { id: string; expires: string }[] };
    const [made] = listed.docs;
    expect(listed.docs).toMatchObject([{ role: "admin", tenant: null, label: "signed in by a one-time code", expires: body["expires"] }]);
    await expect
      .poll(async () => (await (await asAdmin("/admin/audit", body["key"])).json()) as { docs: unknown[] })
      .toMatchObject({
        docs: expect.arrayContaining([expect.objectContaining({ what: "sign-in", who: made?.id, status: 201 })]) as unknown,
      });
    expect(await signIn({ code })).toEqual({ status: 401, body: { statusCode: 401, message: "invalid sign-in code" } });
  });

  it("keeps the hash of a code alone, for 15 minutes at most", async () => {
    const { client } = cluster.redis;
    const code = await makeSignInCode(client);
    const [key = "", ...others] = await client.keys("sign-in:*");
    expect(others).toEqual([]);
    expect(key).not.toContain(code);
    const leftMs = await client.pttl(key);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
    await client.del(key);
    expect((await signIn({ code })).status).toBe(401);
  });

  it("takes keys away whose time is over with the next one", async () => {
    const { client } = cluster.redis;
    const first = await signIn({ code: await makeSignInCode(client) });
    const ended = { ...(await theKey(first.body["key"])), expires: new Date(0).toISOString() };
    await client.hset(keys.apiKeys, ended.id, JSON.stringify(ended));
    await signIn({ code: await makeSignInCode(client) });
    expect(await client.hexists(keys.apiKeys, ended.id)).toBe(0);
  });

  it.each([
    [{}, "code must be a string"],
    [{ code: 7 }, "code must be a string"],
    [{ code: "x", key: 1 }, "unknown field key"],
  ])("refuses %j", async (body, message) => {
    expect(await signIn(body)).toEqual({ status: 400, body: { statusCode: 400, message } });
  });

  /** Returns the key's record as it is stored. */
  async function theKey(key = ""): Promise<{ id: string }> {
    const hash = createHash("sha256").update(key).digest("hex");
    const all = (await cluster.redis.client.hvals(keys.apiKeys)).map((text) => JSON.parse(text) as { id: string; hash: string });
    const found = all.find((record) => record.hash === hash);
    if (found === undefined) throw new Error("the key is not stored");
    return found;
  }
});

describe("/console", () => {
  it("is a page of our own files alone, for everybody, under a strict policy", async () => {
    const page = await get("/console");
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBe(3);
    for (const address of addresses) {
      expect(address).toMatch(/^\/console\/[\w.-]+$/);
      expect((await get(address)).status).toBe(200);
    }
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=/);
  });

  it("has scripts that are kept for ever, packed for who reads that, and 304 for who has them", async () => {
    const script = /src="([^"]+)"/.exec(await (await get("/console")).text())?.[1] ?? "";
    const first = await get(script, { headers: { "accept-encoding": "gzip" } });
    expect(first.headers.get("content-encoding")).toBe("gzip");
    expect(first.headers.get("cache-control")).toContain("immutable");
    // The client decompresses the script, which must equal the uncompressed one.
    expect(await first.text()).toBe(await (await get(script, { headers: { "accept-encoding": "identity" } })).text());
    const again = await get(script, { headers: { "accept-encoding": "gzip", "if-none-match": first.headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await get(script, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, first.headers.get("content-length")]);
  });

  it("is small, all of its pages together, and says whose work is in it", async () => {
    const files = readStaticFiles(fileURLToPath(new URL("../../dist/router/console/files", import.meta.url)));
    const sizes = [...files.values()].map(({ bytes, gzip }) => (gzip ?? bytes).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100 * 1024);
    const licences = await (await get("/console/licences.txt")).text();
    for (const name of ["preact", "@preact/signals", "@preact/signals-core"]) expect(licences).toContain(`${name}\n\nThe MIT License`);
  });

  it("knows no other files: neither folders nor sources", async () => {
    for (const path of ["/console/main.tsx", "/console/..%2fapp%2fmain.tsx", "/console/files", "/console/main.js.gz"])
      expect((await get(path)).status).toBe(404);
  });
});

describe("GET /", () => {
  it("leads a browser to the console", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const answer = await get("/", { headers: { accept }, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/console"]);
    expect(await (await get("/", { headers: { accept } })).text()).toContain("<title>");
  });

  it.each(["*/*", "application/json"])("tells a program that takes %s where the API is described", async (accept) => {
    const answer = await get("/", { headers: { accept } });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { name: "Trunkline", console: "/console", docs: "/docs", openapi: "/openapi.json" },
    ]);
    for (const path of ["/docs", "/openapi.json"]) expect((await get(path, { method: "HEAD" })).status).toBe(200);
  });

  it("has other methods refused", async () => {
    expect((await get("/", { method: "POST" })).status).toBe(405);
  });
});

describe("GET /admin/self", () => {
  it("returns the tenant and permissions of a key of every role", async () => {
    const admin = await get("/admin/self", { headers: { "x-api-key": cluster.adminKey } });
    expect([admin.status, await admin.json()]).toEqual([
      200,
      expect.objectContaining({ role: "admin", tenant: null, may: expect.arrayContaining(["administer", "create-session"]) }),
    ]);
    const { key, id } = await keyOf("create");
    const self = await get("/admin/self", { headers: { "x-api-key": key } });
    expect(await self.json()).toEqual({ key: id, role: "create", tenant: "default", may: ["read-self", "create-session"] });
    expect((await get("/admin/self", { headers: { "x-api-key": "of nobody at all" } })).status).toBe(401);
    expect((await get("/admin/self?of=me", { headers: { "x-api-key": key } })).status).toBe(400);
  });
});

describe("GET /console/traffic", () => {
  it("has what each router counted, for admins alone", async () => {
    const read = async (): Promise<{ docs: Record<string, unknown>[] }> =>
      (await (await get("/console/traffic", { headers: { "x-api-key": cluster.adminKey } })).json()) as { docs: Record<string, unknown>[] };
    const counts = {
      router: expect.any(String) as unknown,
      at: expect.any(Number) as unknown,
      messages: 0,
      errors: expect.any(Number) as unknown,
    };
    await expect.poll(read).toEqual({ docs: [counts] });
    const { key } = await keyOf("read");
    expect((await get("/console/traffic", { headers: { "x-api-key": key } })).status).toBe(403);
    expect((await get("/console/traffic", { headers: { "x-api-key": "of nobody at all" } })).status).toBe(401);
  });
});

describe("the sandbox behind /console", () => {
  const post = async (path: string, body: object, key = cluster.adminKey): Promise<[status: number, body: unknown]> => {
    const headers = { "content-type": "application/json", "x-api-key": key };
    const answer = await get(`/console/sandbox/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };

  it("shows its accounts, and lets a phone scan the code that a session shows", async () => {
    const accounts = (await (await get("/console/sandbox/accounts", { headers: { "x-api-key": cluster.adminKey } })).json()) as {
      docs: { platform: string; account: string }[];
    };
    expect(accounts.docs.filter(({ account }) => account === "alice").map(({ platform }) => platform)).toEqual(["telegram", "whatsapp"]);
    const caller = await createSession(cluster, "telegram");
    const qrcode = await eventually("a qrcode", async () => (await caller.record()).qrcode);
    expect(await post("scan", { platform: "telegram", account: "alice", qrcode })).toEqual([200, expect.anything()]);
    await eventually("alice connected", async () => (await caller.record()).isConnected);
  });

  it("rejects with the sandbox's own message", async () => {
    expect(await post("scan", { platform: "telegram", account: "alice", qrcode: "no picture" })).toEqual([
      400,
      { statusCode: 400, message: "qrcode is not readable" },
    ]);
    expect(await post("code", { platform: "telegram", account: "alice", code: "ABCD-EFGH" })).toEqual([
      400,
      { statusCode: 400, message: "the platform knows no pairing codes" },
    ]);
  });

  it("needs a key that may create sessions, and reaches no other call of it", async () => {
    const { key } = await keyOf("read");
    expect((await post("scan", {}, key))[0]).toBe(403);
    expect((await post("scan", {}, "of nobody at all"))[0]).toBe(401);
    expect((await post("people/send", {}))[0]).toBe(404);
  });
});

async function keyOf(role: string): Promise<{ key: string; id: string }> {
  const answer = await get("/admin/keys", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": cluster.adminKey },
    body: JSON.stringify({ tenant: "default", role }),
  });
  return (await answer.json()) as { key: string; id: string };
}
