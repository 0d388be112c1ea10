import { afterAll, beforeAll, expect, it } from "vitest";
import type { DeadLetterPage } from "../../shared/contract/dead-letters.js";
import type { WebhookBody } from "../../shared/contract/telegram/webhook-body.js";
import { loggedIn, request, type ApiResponse } from "../harness/api.js";
import { startCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { signatureFits, WebhookReceiver } from "../harness/webhook-receiver.js";

/** An operator finds dead letters and replays them. Router, shard, Redis and sandbox are real, and an event expires after half a second. */
let cluster: Awaited<ReturnType<typeof startCluster>>;
let receiver: WebhookReceiver;
beforeAll(async () => {
  cluster = await startCluster({ overrides: { webhookTiming: { eventMs: 500, delaysMs: [50], delayMaxMs: 50 } } });
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await cluster.stop();
  await receiver.stop();
});

it("lists dead letters page by page and replays them in order, with their ids and bytes", async () => {
  const caller = await loggedIn(cluster, "alice");
  const token = "t";
  await caller.send("PUT", "/session/webhook", { url: receiver.url, token });
  receiver.respond = () => 503;
  const texts = ["one", "two", "three"];
  for (const text of texts) {
    await request(`${cluster.sandbox}/people/send`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ platform: "telegram", account: "alice", chat: "bob", text }),
    });
  }
  const letters = (query = "", method = "GET"): Promise<ApiResponse> =>
    request(`${new URL(cluster.telegram[0] ?? "").origin}/admin/sessions/${caller.credentials.id}/dead-letters${query}`, {
      method,
      headers: { "x-api-key": cluster.adminKey },
    });
  const all = await eventually("three dead letters", async () => {
    const page = (await letters()).body as DeadLetterPage;
    return page.docs.length === 3 ? page : undefined;
  });
  expect(all.next).toBe("");
  expect(all.docs).toMatchObject(
    texts.map((text) => ({
      type: "message.new",
      reason: "expired",
      attempts: expect.any(Number),
      body: { session: caller.credentials.id, data: { text } },
    })),
  );
  expect(all.docs[0]?.attempts).toBeGreaterThan(0);
  const first = (await letters("?limit=2")).body as DeadLetterPage;
  const second = (await letters(`?limit=2&after=${first.next}`)).body as DeadLetterPage;
  expect([...first.docs, ...second.docs]).toEqual(all.docs);
  expect(second.next).toBe("");

  const before = receiver.requests.find(({ id }) => id === all.docs[0]?.id);
  receiver.respond = () => 200;
  expect(await letters("/replay", "POST")).toMatchObject({ status: 200, body: { replayed: 3, left: 0 } });
  await eventually("all of them", () => receiver.taken.length >= 3);
  expect(receiver.taken.map(({ body }) => (JSON.parse(body.toString()) as WebhookBody<"message.new">).data.text)).toEqual(texts);
  expect(receiver.taken[0]?.body.equals(before?.body ?? Buffer.alloc(0))).toBe(true);
  expect(receiver.taken.every((one) => signatureFits(one, token))).toBe(true);
  expect((await letters()).body).toEqual({ docs: [], next: "" });
});
