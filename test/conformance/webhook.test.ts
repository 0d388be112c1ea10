import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../shared/contract/ids.js";
import type { DeadLetterPage } from "../../shared/contract/dead-letters.js";
import { createSession, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { signatureFits } from "../harness/webhook-receiver.js";
import { eachPlatform } from "./platforms-under-test.js";
import { badRequest, error, sessionNotFound } from "./refused.js";
import { refusedWebhooks } from "./refused-webhooks.js";
import { bodyOf, holdEvents, receiverToken, textsOf, typesOf, WebhookStage, webhookOff } from "./webhook-stage.js";

/** Tests PUT /session/webhook, the field `webhook`, and the operators' calls for events, on both platforms. */
let gateway: TestCluster;
beforeAll(async () => {
  // A refused event becomes a dead letter after its hundred attempts, without their waits.
  gateway = await startCluster({ overrides: { webhookTiming: { delaysMs: [5], delayMaxMs: 5, circuitMs: 5 } } });
});
afterAll(() => gateway.stop());

const webhookIsOff = { status: 409, message: "webhook is off" };
const calls = [
  ["GET", "/dead-letters"],
  ["POST", "/dead-letters/replay"],
  ["POST", "/webhook/retry"],
  ["POST", "/webhook/test"],
] as const;

describe.each(eachPlatform)("$platform", ({ platform, eventTypes }) => {
  let stage: WebhookStage;
  let caller: Caller;
  /** The key of a tenant that does not own the session. */
  let otherKey: string;
  beforeAll(async () => {
    stage = await WebhookStage.open(gateway, { platform });
    ({ caller } = stage);
    otherKey = await keyOf(`blue-${platform}`);
  });
  afterEach(() => stage.turnOff());

  describe("PUT /session/webhook", () => {
    it.each(refusedWebhooks(eventTypes))("%j: 400", async (body, message) => {
      expect(await stage.put(body)).toMatchObject(error(badRequest(message)));
      expect((await caller.record()).webhook).toEqual(webhookOff);
    });

    it("returns the session's id; GET /session shows the settings, and both empty when off", async () => {
      const receiver = { url: "http://127.0.0.1:9/", token: receiverToken };
      for (const settings of [
        receiver,
        { url: "https://example.invalid/a?b=c#d", token: "~ {}" },
        { url: "HTTP://[::1]:8/", token: "x".repeat(2_048) },
        { ...receiver, events: [...eventTypes] },
        { ...receiver, events: ["session.state"] },
        receiver,
        webhookOff,
        webhookOff,
      ]) {
        expect(await stage.put(settings)).toMatchObject({ status: 200, body: { id: stage.id } });
        expect((await caller.record()).webhook).toEqual(settings);
      }
    });

    it("keeps each of the events once, and none for a webhook that is off", async () => {
      const receiver = { url: "http://127.0.0.1:9/", token: receiverToken };
      await stage.put({ ...receiver, events: ["message.read", "session.state", "message.read"] });
      expect((await caller.record()).webhook).toEqual({ ...receiver, events: ["message.read", "session.state"] });
      await stage.put({ ...webhookOff, events: ["message.new"] });
      expect((await caller.record()).webhook).toEqual(webhookOff);
    });

    it("takes a receiver before the login", async () => {
      const waiting = await createSession(gateway, platform);
      const settings = { url: (await stage.receive()).url, token: receiverToken };
      expect(await stage.put(settings, waiting)).toMatchObject({ status: 200, body: { id: waiting.credentials.id } });
      expect((await waiting.record()).webhook).toEqual(settings);
    });
  });

  describe("trying a receiver", () => {
    it.each(["test", "retry"])("%s: 409 while the webhook is off", async (what) => {
      expect(await stage.operate("POST", `${stage.id}/webhook/${what}`)).toMatchObject(error(webhookIsOff));
    });

    it.each<[string, object]>([
      ["without events", {}],
      ["whatever the events are", { events: ["session.state"] }],
    ])("a test event arrives signed, %s", async (_, events) => {
      const receiver = await stage.turnOn(events);
      const { status, body } = await stage.operate("POST", `${stage.id}/webhook/test`);
      expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{64}$/) as string, waiting: 1 }]);
      const event = await eventually("the test event", () => receiver.taken[0]);
      expect(bodyOf(event)).toMatchObject({ type: "test", session: stage.id, id: (body as { id: string }).id });
      expect(event.headers).toMatchObject({ "x-token": receiverToken, "webhook-id": event.id });
      expect(signatureFits(event, receiverToken)).toBe(true);
    });

    it("a test event comes behind the waiting events, which go out at once", async () => {
      const receiver = await stage.turnOn();
      holdEvents(receiver);
      await stage.people("send", { text: "before the test" });
      await eventually("a refused event", () => receiver.requests.length > 0);
      expect(await stage.operate("POST", `${stage.id}/webhook/test`)).toMatchObject({ status: 200, body: { waiting: 2 } });
      receiver.respond = () => 200;
      expect(await stage.operate("POST", `${stage.id}/webhook/retry`)).toMatchObject({ status: 200, body: { waiting: 2 } });
      await eventually("both", () => receiver.taken.length === 2);
      expect(typesOf(receiver)).toEqual(["message.new", "test"]);
    });
  });

  describe("dead letters", () => {
    it("are listed page by page and replayed in order, with their ids and bytes", async () => {
      const receiver = await stage.turnOn();
      receiver.respond = () => 503;
      const texts = ["one", "two", "three"];
      for (const text of texts) await stage.people("send", { text });
      const list = async (query = ""): Promise<DeadLetterPage> =>
        (await stage.operate("GET", `${stage.id}/dead-letters${query}`)).body as DeadLetterPage;
      const all = await eventually("three dead letters", async () => {
        const page = await list();
        return page.docs.length === 3 && page;
      });
      expect(all.next).toBe("");
      expect(all.docs).toMatchObject(
        texts.map((text) => ({ type: "message.new", reason: "attempts", attempts: 100, body: { session: stage.id, data: { text } } })),
      );
      const first = await list("?limit=2");
      const second = await list(`?limit=2&after=${first.next}`);
      expect([...first.docs, ...second.docs]).toEqual(all.docs);
      expect(second.next).toBe("");

      const refused = receiver.requests.find(({ id }) => id === all.docs[0]?.id);
      receiver.respond = () => 200;
      const replayed = await stage.operate("POST", `${stage.id}/dead-letters/replay`);
      expect(replayed).toMatchObject({ status: 200, body: { replayed: 3, left: 0 } });
      await eventually("all of them", () => receiver.taken.length >= 3);
      expect(textsOf(receiver)).toEqual(texts);
      expect(receiver.taken[0]?.body.equals(refused?.body ?? Buffer.alloc(0))).toBe(true);
      expect(receiver.taken.every((one) => signatureFits(one, receiverToken))).toBe(true);
      expect(await list()).toEqual({ docs: [], next: "" });
    });

    it("are none if the receiver took all, and are not replayed while the webhook is off", async () => {
      const path = `${stage.id}/dead-letters`;
      expect(await stage.operate("GET", `${path}?limit=5`)).toMatchObject({ status: 200, body: { docs: [], next: "" } });
      expect(await stage.operate("POST", `${path}/replay`)).toMatchObject(error(webhookIsOff));
      await stage.turnOn();
      expect(await stage.operate("POST", `${path}/replay`)).toMatchObject({ status: 200, body: { replayed: 0, left: 0 } });
    });

    it.each([
      ["?limit=0", "limit must be an integer from 1 to 100"],
      ["?limit=101", "limit must be an integer from 1 to 100"],
      ["?limit=x", "limit must be an integer from 1 to 100"],
      ["?after=x", "after must be the next of a previous page"],
    ])("%s: 400", async (query, message) => {
      expect(await stage.operate("GET", `${stage.id}/dead-letters${query}`)).toMatchObject(error(badRequest(message)));
    });
  });

  describe.each(calls)("%s /admin/sessions/{id}%s", (method, path) => {
    it("needs an operator's key, and a session that exists", async () => {
      const { id, sessionId } = caller.credentials;
      for (const headers of [{}, { "x-api-key": "wrong" }, { id, "session-id": sessionId }] as Record<string, string>[])
        expect(await stage.operate(method, `${id}${path}`, headers)).toMatchObject(error({ status: 401, message: "invalid api key" }));
      for (const unknown of [newSessionId(Date.now()), "x"])
        expect(await stage.operate(method, `${unknown}${path}`)).toMatchObject(error(sessionNotFound));
    });

    it("hides the session from the key of another tenant, and serves that tenant's own", async () => {
      const headers = { "x-api-key": otherKey };
      expect(await stage.operate(method, `${stage.id}${path}`, headers)).toMatchObject(error(sessionNotFound));
      const own = await createSession({ ...gateway, adminKey: otherKey }, platform);
      expect((await stage.operate(method, `${own.credentials.id}${path}`, headers)).status).not.toBe(404);
    });
  });

  /** Creates a tenant and returns a key of that tenant. */
  async function keyOf(tenant: string): Promise<string> {
    const admin = async (path: string, body: object): Promise<unknown> => {
      const headers = { ...stage.admin, "content-type": "application/json" };
      const response = await request(`${stage.origin}/admin/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      expect([path, response.status]).toEqual([path, 201]);
      return response.body;
    };
    await admin("tenants", { name: tenant });
    return ((await admin("keys", { tenant, role: "tenant" })) as { readonly key: string }).key;
  }
});
