import { afterAll, beforeAll, expect, it } from "vitest";
import type { WebhookBody } from "../../shared/contract/telegram/webhook-body.js";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { signatureFits, WebhookReceiver } from "../harness/webhook-receiver.js";

/** Kills real shards while events of several accounts go to a receiver that fails now and then. */
let gateway: Gateway;
let receiver: WebhookReceiver;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 2 });
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

const accounts = Array.from({ length: 6 }, (_, i) => `told-${i}`);
const each = 60;

async function control(path: string, body: object): Promise<unknown> {
  const response = await request(`${gateway.sandbox}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "telegram", ...body }),
  });
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

it("delivers everything at least once across killed shards, in order per session, with identical repeats", async () => {
  const token = "kill-test";
  const callers: Caller[] = [];
  for (const account of accounts) {
    await control("/accounts", { account, contacts: 2, groups: 0, channels: 0 });
    const caller = await loggedIn(gateway, account);
    expect((await caller.send("PUT", "/session/webhook", { url: receiver.url, token })).status).toBe(200);
    callers.push(caller);
  }
  let count = 0;
  // One attempt in fifteen fails. Some 2xx are late enough for a kill to fall between the response and the write.
  receiver.respond = () => {
    count += 1;
    if (count % 15 === 0) return 500;
    if (count % 4 !== 0) return 200;
    return (response, received) => {
      setTimeout(() => {
        received.status = 200;
        response.writeHead(200).end();
      }, 40);
    };
  };
  const texts = new Map<string, string[]>();
  const writing = accounts.map(async (account, index) => {
    const own: string[] = [];
    texts.set(callers[index]?.credentials.id ?? "", own);
    for (let i = 0; i < each; i += 1) {
      own.push(`${account} ${i}`);
      await control("/people/send", { account, text: `${account} ${i}` });
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 60));
    }
  });
  for (const shard of ["shard-1", "shard-2"]) {
    await eventually("some events more", async () => receiver.taken.length > (shard === "shard-1" ? 20 : 120));
    const pid = await gateway.shardPid(shard);
    process.kill(pid, "SIGKILL");
    await eventually(`${shard} back`, async () => (await gateway.shardPid(shard)) !== pid);
  }
  await Promise.all(writing);
  await eventually("all events", () => new Set(receiver.taken.map(({ id }) => id)).size >= accounts.length * each);

  const bodies = new Map<string, string>();
  const taken = new Map<string, string[]>();
  let repeats = 0;
  for (const { id, body, status, headers } of receiver.requests) {
    const before = bodies.get(id);
    const bytes = body.toString("base64");
    if (before !== undefined) expect(bytes).toBe(before);
    bodies.set(id, bytes);
    expect(signatureFits({ headers, body }, token)).toBe(true);
    if (status !== 200) continue;
    const event = JSON.parse(body.toString()) as WebhookBody<"message.new">;
    expect(event.id).toBe(id);
    const own = taken.get(event.session) ?? [];
    taken.set(event.session, own);
    if (own.includes(event.data.text)) repeats += 1;
    else own.push(event.data.text);
  }
  process.stdout.write(`${bodies.size} events in ${receiver.requests.length} requests, ${repeats} taken twice\n`);
  expect(taken).toEqual(texts);
  // A new owner repeats at most the one event that was in flight when its predecessor ended.
  expect(repeats).toBeLessThanOrEqual(2 * accounts.length);
});
