import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import type { SessionCredentials } from "../../shared/contract/session.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { PlatformSide, type Doc } from "../harness/platform-side.js";
import { RawClient } from "../harness/raw-client.js";

/**
 * `Idempotency-Key` on POST /message, /status and /session of both variants: a repeated request runs once, whichever router receives it.
 */
let gateway: TestCluster;
const callers = {} as Record<Platform, Caller>;
const phones = {} as Record<Platform, string>;
const accounts: Record<Platform, string> = { whatsapp: "alice", telegram: "alice" };
beforeAll(async () => {
  gateway = await startCluster({ routers: 2, redisFile: true });
  for (const platform of platforms) {
    callers[platform] = await loggedIn(gateway, accounts[platform], platform);
    phones[platform] = await new PlatformSide(gateway, platform).phoneOf("bob");
  }
});
afterAll(() => gateway.stop());

const replayed = (answer: ApiResponse): [status: number, body: string, replayed: string | null] => [
  answer.status,
  JSON.stringify(answer.body),
  answer.headers.get("idempotency-replayed"),
];
/** The documented error body. */
const error = (status: number, message: string) => ({ status, body: { statusCode: status, message } });

describe.each(platforms)("on %s", (platform) => {
  const side = (): PlatformSide<Doc & { type: string }> => new PlatformSide(gateway, platform);
  const send = (path: string, body: object, headers: Record<string, string> = {}, router = 0): Promise<ApiResponse> =>
    callers[platform].through(router).send("POST", path, body, headers);
  const message = (text: string): object => ({ phone: phones[platform], type: "text", text });
  const arrived = async (text: string): Promise<number> =>
    (await side().received(accounts[platform], "message")).filter((row) => row["text"] === text).length;

  it("sends a message once and replays its response from every router, whatever the order of the fields", async () => {
    const key = { "idempotency-key": randomUUID() };
    const text = `once ${key["idempotency-key"]}`;
    const first = await send("/message", message(text), key);
    expect(replayed(first)).toEqual([200, expect.stringMatching(/^\{"messageId":"\S+"\}$/) as string, null]);
    const { phone, ...rest } = message(text) as Record<string, unknown>;
    for (const router of [0, 1])
      expect(replayed(await send("/message", { ...rest, phone }, key, router))).toEqual([200, JSON.stringify(first.body), "true"]);
    expect(await arrived(text)).toBe(1);
    // A request without the key is a new one, and so is a request of another session.
    expect(replayed(await send("/message", message(text)))).toEqual([200, expect.not.stringMatching(JSON.stringify(first.body)), null]);
    expect(await arrived(text)).toBe(2);
  });

  const limit = async (messagesPerDay: number | null): Promise<void> => {
    const headers = { "x-api-key": gateway.adminKey, "content-type": "application/json" };
    const body = JSON.stringify({ quotas: { messagesPerDay } });
    expect(
      (await request(`${new URL(gateway.telegram[0] ?? "").origin}/admin/tenants/default`, { method: "PATCH", headers, body })).status,
    ).toBe(200);
  };

  it("replays the first response also when the daily messages are used up, and rejects a new message with 429", async () => {
    const [key, other] = [{ "idempotency-key": randomUUID() }, { "idempotency-key": randomUUID() }];
    const text = `counted ${key["idempotency-key"]}`;
    const first = await send("/message", message(text), key);
    await limit(0);
    for (const router of [0, 1]) {
      await eventually("the quota at the router", async () => (await send("/message", message("new"), {}, router)).status === 429);
      expect(replayed(await send("/message", message(text), key, router))).toEqual([200, JSON.stringify(first.body), "true"]);
      expect(await send("/message", message(text), other, router)).toMatchObject(error(429, "too many requests"));
      expect(await send("/message", message("another body"), key, router)).toMatchObject({ status: 422 });
    }
    await limit(null);
    for (const router of [0, 1])
      await eventually("no quota at the router", async () => (await send("/message", message(text), other, router)).status === 200);
    expect(await arrived(text)).toBe(2);
  });

  it("shows the messages of today to operators while the tenant has a daily quota", async () => {
    const read = async (path: string): Promise<unknown> => {
      const headers = { "x-api-key": gateway.adminKey };
      return (await request(`${new URL(gateway.telegram[0] ?? "").origin}/admin/tenants${path}`, { headers })).body;
    };
    const usage = async (): Promise<{ messagesToday: number } | undefined> =>
      ((await read("/default")) as { usage?: { messagesToday: number } }).usage;
    expect(await usage()).toBeUndefined();
    await limit(1_000);
    const before = (await usage())?.messagesToday ?? Number.NaN;
    await eventually("a counted message", async () => {
      expect((await send("/message", message(randomUUID()))).status).toBe(200);
      return ((await usage())?.messagesToday ?? 0) > before;
    });
    expect(await read("")).toMatchObject({ docs: [{ name: "default", usage: await usage() }] });
    await limit(null);
    expect(await usage()).toBeUndefined();
  });

  it("a repeat waits for the first, which is at work", async () => {
    const key = { "idempotency-key": randomUUID() };
    const text = `waits ${key["idempotency-key"]}`;
    const method = platform === "whatsapp" ? "message" : "messages.sendMessage";
    const before = await side().calls(method);
    await side().fault({ account: accounts[platform], kind: "delay", method, seconds: 60, times: 1 });
    const first = send("/message", message(text), key);
    await eventually("at the platform", async () => (await side().calls(method)) > before);
    const repeats = [0, 1, 1].map((router) => send("/message", message(text), key, router));
    // Other requests of the session succeed meanwhile.
    expect((await callers[platform].get("/session")).status).toBe(200);
    await side().clearFaults();
    const answer = await first;
    expect(replayed(answer)).toEqual([200, expect.stringContaining("messageId") as string, null]);
    for (const repeat of await Promise.all(repeats)) expect(replayed(repeat)).toEqual([200, JSON.stringify(answer.body), "true"]);
    expect(await arrived(text)).toBe(1);
  });

  it("another body, or another endpoint, under the same key is 422 and does nothing", async () => {
    const key = { "idempotency-key": randomUUID() };
    const text = `first ${key["idempotency-key"]}`;
    expect((await send("/message", message(text), key)).status).toBe(200);
    const reused = error(422, "idempotency key was used for another request");
    const other = `other ${key["idempotency-key"]}`;
    expect(await send("/message", message(other), key, 1)).toMatchObject(reused);
    expect(await send("/status", { type: "text", text }, key)).toMatchObject(reused);
    expect(await arrived(other)).toBe(0);
    expect(await arrived(text)).toBe(1);
  });

  it("a status is posted once", async () => {
    const key = { "idempotency-key": randomUUID() };
    const text = `status ${key["idempotency-key"].slice(0, 8)}`;
    const posted = async (): Promise<number> =>
      (await side().received(accounts[platform], platform === "whatsapp" ? "status" : "story")).length;
    const before = await posted();
    const first = await send("/status", { type: "text", text }, key);
    expect(replayed(first)).toEqual([200, expect.stringMatching(/^\{"statusId":"\S+"\}$/) as string, null]);
    expect(replayed(await send("/status", { type: "text", text }, key, 1))).toEqual([200, JSON.stringify(first.body), "true"]);
    expect(await posted()).toBe(before + 1);
  });

  it.each(["/message", "/status"])("POST %s: what was refused before anything was sent may be tried again", async (path) => {
    const key = { "idempotency-key": randomUUID() };
    expect((await send(path, { type: "text", phone: phones[platform] }, key)).status).toBe(400);
    const body = {
      type: "image",
      phone: phones[platform],
      text: "x",
      image: { url: side().fileUrl("nothing-there.jpg"), mimetype: "image/jpeg" },
    };
    for (const router of [0, 1]) {
      const answer = await send(path, body, key, router);
      expect(replayed(answer)).toEqual([500, expect.stringContaining("error parser file from url") as string, null]);
    }
  });

  it.each(["/message", "/status"])("POST %s: a key of another form is 400, before the body", async (path) => {
    const form = error(400, "idempotency-key must be 1 to 255 printable ascii characters");
    for (const key of ["", "k".repeat(256), "a\tb"]) expect(await send(path, {}, { "idempotency-key": key })).toMatchObject(form);
    expect((await send(path, {}, { "idempotency-key": "k".repeat(255) })).body).toMatchObject({
      message: expect.not.stringContaining("key") as string,
    });
  });

  it("a session is created once: its repeats have the same pair, and another body is 422", async () => {
    const create = (router: number, key: string, body?: object): Promise<ApiResponse> =>
      request(`${gateway[platform][router] ?? ""}/session`, {
        method: "POST",
        headers: { "x-api-key": gateway.adminKey, "idempotency-key": key, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const key = randomUUID();
    const [first, ...repeats] = await Promise.all([0, 1, 0, 1].map((router) => create(router, key)));
    if (first === undefined) throw new Error("no answer");
    for (const repeat of repeats) expect([repeat.status, repeat.body]).toEqual([201, first.body]);
    expect([first, ...repeats].filter(({ headers }) => headers.get("idempotency-replayed") === "true")).toHaveLength(3);
    const { id, sessionId } = first.body as { id: string; sessionId: string };
    expect((await request(`${gateway[platform][0] ?? ""}/session`, { headers: { id, "session-id": sessionId } })).status).toBe(200);
    expect(await create(1, key, { phone: "4915112345678" })).toMatchObject(error(422, "idempotency key was used for another request"));
    const other = await create(1, randomUUID());
    expect(other.body).not.toEqual(first.body);
    expect(await create(0, "")).toMatchObject(error(400, "idempotency-key must be 1 to 255 printable ascii characters"));
    // The response is replayed even after its session was deleted. No new session is created.
    const headers = { id, "session-id": sessionId };
    expect((await request(`${gateway[platform][0] ?? ""}/session`, { method: "DELETE", headers })).status).toBe(200);
    expect(replayed(await create(1, key))).toEqual([201, JSON.stringify(first.body), "true"]);
    expect((await request(`${gateway[platform][0] ?? ""}/session`, { headers })).status).toBe(404);
  });
});

it("a key that stands twice is 400", async () => {
  const { id, sessionId } = callers.telegram.credentials;
  const client = await RawClient.open(gateway.telegram[0] ?? "");
  const path = `${new URL(gateway.telegram[0] ?? "").pathname}/message`;
  const lines = [`id: ${id}`, `session-id: ${sessionId}`, "idempotency-key: a", "idempotency-key: a", "Connection: close"];
  const answer = (await client.send(path, lines, "POST").rest()).toString();
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"idempotency-key must be given only once"');
});

it("neither keys, texts, ids nor secrets stand in the store in the clear", async () => {
  const key = `order-${randomUUID()}`;
  const text = `private ${randomUUID()}`;
  const sent = await callers.whatsapp.send("POST", "/message", { phone: phones.whatsapp, type: "text", text }, { "idempotency-key": key });
  expect(sent.status).toBe(200);
  const created = await request(`${gateway.telegram[0] ?? ""}/session`, {
    method: "POST",
    headers: { "x-api-key": gateway.adminKey, "idempotency-key": key },
  });
  const { id, sessionId } = created.body as SessionCredentials;
  const folder = join(gateway.redis.folder, "appendonlydir");
  const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file))));
  // The append-only file was read if it names the session.
  expect(files.some((bytes) => bytes.includes(id))).toBe(true);
  expect([key, text, sessionId].filter((mark) => files.some((bytes) => bytes.includes(mark)))).toEqual([]);
});
