import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../../shared/contract/ids.js";
import { whatsappEventTypes } from "../../../shared/contract/webhook-events.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { signatureFits, WebhookReceiver } from "../../harness/webhook-receiver.js";
import { refusedWebhooks } from "../refused-webhooks.js";

/** Tests PUT /session/webhook of variant A, the field `webhook`, test events, and dead letters. */
let gateway: TestCluster;
let caller: Caller;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  gateway = await startCluster();
  caller = await loggedIn(gateway, "alice", "whatsapp");
});
afterEach(async () => {
  await put(off);
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => gateway.stop());

const token = "token of the receiver";
const off = { url: "", token: "" };
const put = (body: unknown, by = caller): Promise<ApiResponse> => by.send("PUT", "/session/webhook", body);
const operate = (method: "GET" | "POST", path: string): Promise<ApiResponse> =>
  request(`${new URL(gateway.whatsapp[0] ?? "").origin}/admin/sessions/${path}`, { method, headers: { "x-api-key": gateway.adminKey } });

async function receive(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  return receiver;
}

describe("PUT /session/webhook", () => {
  it.each(refusedWebhooks(whatsappEventTypes))("%j: 400", async (body, message) => {
    expect(await put(body)).toMatchObject({ status: 400, body: { statusCode: 400, message } });
    expect((await caller.record()).webhook).toEqual(off);
  });

  it("returns the session's id; GET /session shows what is set, and both empty when off", async () => {
    const { id } = caller.credentials;
    for (const settings of [
      { url: "https://example.invalid/a?b=c#d", token: "~ {}" },
      { url: "http://127.0.0.1:9/", token, events: [...whatsappEventTypes] },
      { url: "http://127.0.0.1:9/", token, events: ["call.offered"] },
      { url: "http://127.0.0.1:9/", token },
      off,
      off,
    ]) {
      expect(await put(settings)).toMatchObject({ status: 200, body: { id } });
      expect((await caller.record()).webhook).toEqual(settings);
    }
  });

  it("takes a receiver before the login", async () => {
    const waiting = await createSession(gateway, "whatsapp");
    const settings = { url: (await receive()).url, token };
    expect(await put(settings, waiting)).toMatchObject({ status: 200, body: { id: waiting.credentials.id } });
    expect((await waiting.record()).webhook).toEqual(settings);
  });

  it("leaves /webhook absent", async () => {
    expect(await caller.get("/webhook")).toMatchObject({ status: 404 });
    for (const method of ["POST", "PUT", "DELETE"] as const)
      expect(await caller.send(method, "/webhook", off)).toMatchObject({ status: 404 });
  });
});

describe("trying a receiver", () => {
  it.each(["test", "retry"])("%s: needs a session and a webhook", async (what) => {
    expect(await operate("POST", `${newSessionId(Date.now())}/webhook/${what}`)).toMatchObject({ status: 404 });
    expect(await operate("POST", `${caller.credentials.id}/webhook/${what}`)).toMatchObject({
      status: 409,
      body: { statusCode: 409, message: "webhook is off" },
    });
  });

  it.each<[string, object]>([
    ["without events", {}],
    ["whatever the events are", { events: ["call.offered"] }],
  ])("a test event arrives signed, %s", async (_, events) => {
    const receiver = await receive();
    await put({ url: receiver.url, token, ...events });
    const { status, body } = await operate("POST", `${caller.credentials.id}/webhook/test`);
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{64}$/) as string, waiting: 1 }]);
    const [event] = await eventually("the test event", () => (receiver.taken.length > 0 ? receiver.taken : undefined));
    if (event === undefined) throw new Error("no event");
    expect(JSON.parse(event.body.toString())).toMatchObject({ type: "test", session: caller.credentials.id, id: event.id });
    expect(event.headers).toMatchObject({ "x-token": token, "webhook-id": event.id });
    expect(signatureFits(event, token)).toBe(true);
  });

  it("what waits goes out at once, and to a new receiver", async () => {
    const [dead, living] = [await receive(), await receive()];
    dead.respond = () => (response) => void response.writeHead(503, { "retry-after": "3600" }).end();
    await put({ url: dead.url, token });
    await operate("POST", `${caller.credentials.id}/webhook/test`);
    await eventually("an attempt", () => dead.requests.length >= 1);
    expect(await operate("POST", `${caller.credentials.id}/webhook/retry`)).toMatchObject({ status: 200, body: { waiting: 1 } });
    await eventually("another attempt", () => dead.requests.length >= 2);
    await put({ url: living.url, token: "new" });
    await eventually("the event", () => living.taken.length === 1);
    expect(living.taken[0]?.body.equals(dead.requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
  });
});

describe("dead letters", () => {
  it("are none where all was taken, and none are replayed while the webhook is off", async () => {
    const path = `${caller.credentials.id}/dead-letters`;
    expect(await operate("GET", path)).toMatchObject({ status: 200, body: { docs: [], next: "" } });
    expect(await operate("POST", `${path}/replay`)).toMatchObject({ status: 409, body: { statusCode: 409, message: "webhook is off" } });
    await put({ url: (await receive()).url, token });
    expect(await operate("POST", `${path}/replay`)).toMatchObject({ status: 200, body: { replayed: 0, left: 0 } });
  });
});
