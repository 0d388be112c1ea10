import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { WebhookBody } from "../../../shared/contract/telegram/webhook-body.js";
import { newSessionId, newSessionSecret } from "../../../shared/contract/ids.js";
import { telegramEventTypes } from "../../../shared/contract/webhook-events.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../../harness/api.js";
import { claimPorts } from "../../harness/claimed-ports.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { refusedWebhooks } from "../refused-webhooks.js";
import { signatureFits, WebhookReceiver, type ReceivedRequest } from "../../harness/webhook-receiver.js";

/** Tests PUT /session/webhook, the field `webhook`, the events, and the operators' calls for them. */
let gateway: TestCluster;
let caller: Caller;
let waiting: Caller;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  gateway = await startCluster();
  caller = await loggedIn(gateway, "alice");
  waiting = await createSession(gateway);
});
afterEach(async () => {
  await put({ url: "", token: "" });
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => gateway.stop());

const token = "token of the receiver";
const put = (body: unknown, by = caller): Promise<ApiResponse> => by.send("PUT", "/session/webhook", body);
const refusal = (message: string): object => ({ status: 400, body: { statusCode: 400, message } });
const off = { url: "", token: "" };

async function receive(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  return receiver;
}

async function people(action: "send" | "edit" | "delete" | "read", fields: object): Promise<{ messageId: string }> {
  const answer = await request(`${gateway.sandbox}/people/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "telegram", account: "alice", chat: "bob", ...fields }),
  });
  if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as { messageId: string };
}

/** The platform's times are whole seconds. Within the second of the change, only the order of arrival shows what came before. */
async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1_000);
  await eventually("the next second", () => Math.floor(Date.now() / 1_000) > second);
}

const bodyOf = ({ body }: { body: Buffer }): WebhookBody => JSON.parse(body.toString()) as WebhookBody;

describe("PUT /session/webhook", () => {
  it.each(refusedWebhooks(telegramEventTypes))("%j: 400", async (body, message) => {
    expect(await put(body)).toMatchObject(refusal(message));
    expect((await caller.record()).webhook).toEqual(off);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ["without headers", {}, 400, "invalid header"],
    ["with an unknown pair", { id: newSessionId(Date.now()), "session-id": newSessionSecret() }, 404, "session not found"],
  ])("%s, before the body is looked at: %j", async (_, headers, statusCode, message) => {
    const answer = await request(`${gateway.telegram[0] ?? ""}/session/webhook`, {
      method: "PUT",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
    });
    expect(answer).toMatchObject({ status: statusCode, body: { statusCode, message } });
  });

  it("responds with the session's id; GET /session shows the settings, and both empty when off", async () => {
    const receiver = await receive();
    const { id } = caller.credentials;
    for (const settings of [
      { url: receiver.url, token },
      { url: "https://example.invalid/a?b=c#d", token: "~ {}" },
      { url: "HTTP://[::1]:8/", token: "x".repeat(2_048) },
      off,
      off,
    ]) {
      expect(await put(settings)).toMatchObject({ status: 200, body: { id } });
      expect((await caller.record()).webhook).toEqual(settings);
    }
  });

  it("takes a receiver before the login", async () => {
    const receiver = await receive();
    expect(await put({ url: receiver.url, token }, waiting)).toMatchObject({ status: 200, body: { id: waiting.credentials.id } });
    expect((await waiting.record()).webhook).toEqual({ url: receiver.url, token });
  });

  it("GET /session shows the events if they were given, each once", async () => {
    const receiver = { url: "http://127.0.0.1:9/", token };
    expect(await put({ ...receiver, events: ["message.read", "session.state", "message.read"] })).toMatchObject({ status: 200 });
    expect((await caller.record()).webhook).toEqual({ ...receiver, events: ["message.read", "session.state"] });
    await put(receiver);
    expect((await caller.record()).webhook).toEqual(receiver);
    await put({ ...off, events: ["message.new"] });
    expect((await caller.record()).webhook).toEqual(off);
  });
});

describe("events", () => {
  it("report new, edited, read and deleted messages, in order, with the headers", async () => {
    const receiver = await receive();
    await people("send", { text: "before it was on" });
    await nextSecond();
    await put({ url: receiver.url, token });
    const { messageId } = await people("send", { text: "Hello 👋" });
    await people("edit", { messageId, text: "Hello again" });
    await people("read", { messageId, inbox: true });
    await people("delete", { messageId });
    await eventually("four events", () => receiver.taken.length >= 4);
    const bodies = receiver.taken.map(bodyOf);
    expect(bodies).toMatchObject([
      {
        type: "message.new",
        session: caller.credentials.id,
        created: expect.stringMatching(/Z$/),
        data: { id: messageId, text: "Hello 👋", fromMe: false },
      },
      { type: "message.edited", data: { id: messageId, text: "Hello again" } },
      { type: "message.read", data: { until: messageId, by: "me" } },
      { type: "message.deleted", data: { ids: [messageId] } },
    ]);
    for (const [index, one] of receiver.taken.entries()) {
      expect(one).toMatchObject({
        method: "POST",
        path: "/hook",
        headers: { "content-type": "application/json", "x-token": token, "webhook-id": bodies[index]?.id },
      });
      expect(signatureFits(one, token)).toBe(true);
    }
  });

  it("stop when it is turned off, and missed ones are not delivered when it is turned on again", async () => {
    const receiver = await receive();
    await put({ url: receiver.url, token });
    await people("send", { text: "first" });
    await eventually("the first", () => receiver.taken.length === 1);
    await put(off);
    await people("send", { text: "meanwhile" });
    await nextSecond();
    await put({ url: receiver.url, token });
    await people("send", { text: "last" });
    await eventually("the last", () => receiver.taken.length >= 2);
    expect(receiver.taken.map((one) => (bodyOf(one).data as { text: string }).text)).toEqual(["first", "last"]);
  });

  it("that one receiver did not take go to the next", async () => {
    const [dead, living] = [await receive(), await receive()];
    dead.respond = () => 500;
    await put({ url: dead.url, token });
    for (const text of ["a", "b", "c"]) await people("send", { text });
    await eventually("an attempt", () => dead.requests.length >= 1);
    await put({ url: living.url, token: "new" });
    await eventually("all three", () => living.taken.length >= 3);
    expect(living.taken.map((one) => (bodyOf(one).data as { text: string }).text)).toEqual(["a", "b", "c"]);
    expect(living.taken[0]?.body.equals(dead.requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(living.taken.every((one) => signatureFits(one, "new"))).toBe(true);
  });

  it("are taken by the receiver of the page, each once", async () => {
    const page = readFileSync(fileURLToPath(new URL("../../../router/docs/webhooks.md", import.meta.url)), "utf8");
    const [, code = ""] = /```js\n(import[\s\S]*?)```/.exec(page) ?? [];
    const { first: port, release } = await claimPorts();
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      env: { TOKEN: token, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    try {
      const url = `http://127.0.0.1:${port}/`;
      await eventually("the receiver", async () => (await fetch(url, { method: "POST", body: "{}" })).status === 401);
      await put({ url, token });
      const { messageId } = await people("send", { text: "Hello 👋", media: "photo" });
      await people("edit", { messageId, text: "Hello again" });
      await people("delete", { messageId });
      await people("read", { inbox: true });
      await eventually("all events", () => lines.length >= 4);
      expect(lines.map((line) => (JSON.parse(line) as WebhookBody).type)).toEqual([
        "message.new",
        "message.edited",
        "message.deleted",
        "message.read",
      ]);
    } finally {
      child.kill();
      release();
    }
  });
});

describe("trying a receiver", () => {
  const trial = (id: string, what: string, headers: Record<string, string> = { "x-api-key": gateway.adminKey }): Promise<ApiResponse> =>
    request(`${new URL(gateway.telegram[0] ?? "").origin}/admin/sessions/${id}/webhook/${what}`, { method: "POST", headers });

  it.each(["test", "retry"])("%s: asks for an admin's key, a session and a webhook", async (what) => {
    const { id, sessionId } = caller.credentials;
    await put(off);
    for (const headers of [{}, { "x-api-key": "wrong" }, { id, "session-id": sessionId }] as Record<string, string>[])
      expect(await trial(id, what, headers)).toMatchObject({ status: 401, body: { message: "invalid api key" } });
    for (const unknown of [newSessionId(Date.now()), "x"])
      expect(await trial(unknown, what)).toMatchObject({ status: 404, body: { message: "session not found" } });
    expect(await trial(id, what)).toMatchObject({ status: 409, body: { statusCode: 409, message: "webhook is off" } });
  });
  it("a test event comes behind what waits, and what waits goes out at once", async () => {
    const receiver = await receive();
    await put({ url: receiver.url, token });
    await nextSecond();
    receiver.respond = () => (response) => void response.writeHead(503, { "retry-after": "3600" }).end();
    await people("send", { text: "before the test" });
    await eventually("a refused event", () => receiver.requests.length > 0);
    const { status, body } = await trial(caller.credentials.id, "test");
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{64}$/) as string, waiting: 2 }]);
    receiver.respond = () => 200;
    expect(await trial(caller.credentials.id, "retry")).toMatchObject({ status: 200, body: { waiting: 2 } });
    await eventually("both", () => receiver.taken.length === 2);
    expect(receiver.taken.map((one) => bodyOf(one).type)).toEqual(["message.new", "test"]);
    expect(receiver.taken[1]?.id).toBe((body as { id: string }).id);
    expect(signatureFits(receiver.taken[1] as ReceivedRequest, token)).toBe(true);
    await put(off);
  });
});

describe("dead letters of operators", () => {
  const path = (id: string, rest = ""): string => `${new URL(gateway.telegram[0] ?? "").origin}/admin/sessions/${id}/dead-letters${rest}`;
  const asAdmin = { "x-api-key": "" };
  beforeAll(() => {
    asAdmin["x-api-key"] = gateway.adminKey;
  });

  it("require a key with the admin role", async () => {
    const { id } = caller.credentials;
    for (const headers of [{}, { "x-api-key": "wrong" }, { id, "session-id": caller.credentials.sessionId }]) {
      expect(await request(path(id), { headers: headers as Record<string, string> })).toMatchObject({
        status: 401,
        body: { statusCode: 401, message: "invalid api key" },
      });
      expect(await request(path(id, "/replay"), { method: "POST", headers: headers as Record<string, string> })).toMatchObject({
        status: 401,
      });
    }
  });
  it.each([newSessionId(Date.now()), "x"])("%s: 404", async (id) => {
    expect(await request(path(id), { headers: asAdmin })).toMatchObject({
      status: 404,
      body: { statusCode: 404, message: "session not found" },
    });
    expect(await request(path(id, "/replay"), { method: "POST", headers: asAdmin })).toMatchObject({ status: 404 });
  });
  it.each([
    ["?limit=0", "limit must be an integer from 1 to 100"],
    ["?limit=101", "limit must be an integer from 1 to 100"],
    ["?limit=x", "limit must be an integer from 1 to 100"],
    ["?after=x", "after must be the next of a previous page"],
  ])("%s: 400", async (query, message) => {
    expect(await request(path(caller.credentials.id, query), { headers: asAdmin })).toMatchObject(refusal(message));
  });
  it("are none where all was taken, and none are replayed while the webhook is off", async () => {
    expect(await request(path(caller.credentials.id, "?limit=5"), { headers: asAdmin })).toMatchObject({
      status: 200,
      body: { docs: [], next: "" },
    });
    expect(await request(path(caller.credentials.id, "/replay"), { method: "POST", headers: asAdmin })).toMatchObject({
      status: 409,
      body: { statusCode: 409, message: "webhook is off" },
    });
    const receiver = await receive();
    await put({ url: receiver.url, token });
    expect(await request(path(caller.credentials.id, "/replay"), { method: "POST", headers: asAdmin })).toMatchObject({
      status: 200,
      body: { replayed: 0, left: 0 },
    });
  });
});
