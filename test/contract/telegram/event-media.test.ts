import { afterAll, beforeAll, expect, it } from "vitest";
import type { PrivateMessage } from "../../../shared/contract/telegram/webhook-body.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { WebhookReceiver } from "../../harness/webhook-receiver.js";

/** Opens the media links of events as a receiver does. */
let gateway: TestCluster;
let receiver: WebhookReceiver;
let caller: Caller;
beforeAll(async () => {
  [gateway, receiver] = await Promise.all([startCluster(), WebhookReceiver.start()]);
  caller = await loggedIn(gateway, "alice");
  expect(await caller.send("PUT", "/session/webhook", { url: receiver.url, token: "secret" })).toMatchObject({ status: 200 });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

const open = (link: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(link, gateway.telegram[0]), { headers, signal: AbortSignal.timeout(60_000) });

async function told(messageId: unknown): Promise<PrivateMessage> {
  return eventually("the event", () =>
    receiver.taken.map(({ body }) => (JSON.parse(body.toString()) as { data: PrivateMessage }).data).find(({ id }) => id === messageId),
  );
}

it.each([
  ["photo", "image/jpeg", true],
  ["sticker", "image/webp", false],
  ["video", "video/mp4", true],
  ["document", "application/pdf", false],
])("a %s is behind the link of its event, without headers", async (media, mimetype, thumbnail) => {
  const sent = await caller.phone("/people/send", { platform: "telegram", account: "alice", chat: "bob", media });
  const data = await told((sent.body as { messageId: string }).messageId);
  expect(data).toMatchObject({ mimetype });
  const part = await open(data.url, { range: "bytes=0-99" });
  expect([part.status, part.headers.get("content-range"), part.headers.get("content-type")]).toEqual([
    206,
    `bytes 0-99/${data.size}`,
    mimetype,
  ]);
  expect((await part.arrayBuffer()).byteLength).toBe(100);
  expect(data.thumbnail !== "").toBe(thumbnail);
  if (!thumbnail) return;
  const picture = await open(data.thumbnail);
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([picture.status, picture.headers.get("content-type"), bytes.subarray(0, 3).toString("hex")]).toEqual([
    200,
    "image/jpeg",
    "ffd8ff",
  ]);
});

it("the link of a message that was deleted leads nowhere", async () => {
  const sent = await caller.phone("/people/send", { platform: "telegram", account: "alice", chat: "bob", media: "document" });
  const { messageId } = sent.body as { messageId: string };
  const { url } = await told(messageId);
  await caller.phone("/people/delete", { platform: "telegram", account: "alice", messageId });
  const answer = await open(url);
  expect([answer.status, await answer.json()]).toEqual([404, { statusCode: 404, message: "media not found" }]);
});
