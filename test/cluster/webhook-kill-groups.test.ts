import { afterAll, beforeAll, expect, it } from "vitest";
import type { WebhookBody } from "../../shared/contract/telegram/webhook-body.js";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";

/** Kills real shards while people write into groups and a channel of Telegram. */
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

const accounts = ["alice", "bob", "carol"];
const chats = ["-4000001", "-1001900000003", "-1001900000013"];
const each = 40;

async function send(body: object): Promise<void> {
  const response = await request(`${gateway.sandbox}/people/send`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "telegram", account: "alice", ...body }),
  });
  if (response.status >= 300) throw new Error(`send: ${response.status} ${JSON.stringify(response.body)}`);
}

it("delivers messages of groups and channels at least once across killed shards, in the order of each chat", async () => {
  const callers: Caller[] = [];
  for (const account of accounts) {
    const caller = await loggedIn(gateway, account);
    const body = { url: receiver.url, token: "kill-test", events: ["group.message.new", "channel.message.new"] };
    expect((await caller.send("PUT", "/session/webhook", body)).status).toBe(200);
    callers.push(caller);
  }
  const sent = new Map(chats.map((chat) => [chat, [] as string[]]));
  const writing = (async () => {
    for (let n = 0; n < each; n += 1)
      for (const [chat, texts] of sent) {
        texts.push(`to ${chat} ${n}`);
        await send({ chat, from: "dave", text: `to ${chat} ${n}` });
        await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 40));
      }
  })();
  for (const shard of ["shard-1", "shard-2"]) {
    await eventually("some events more", () => receiver.taken.length > (shard === "shard-1" ? 30 : 150));
    const pid = await gateway.shardPid(shard);
    process.kill(pid, "SIGKILL");
    await eventually(`${shard} back`, async () => (await gateway.shardPid(shard)) !== pid);
  }
  await writing;
  await eventually("all events", () => new Set(receiver.taken.map(({ id }) => id)).size >= accounts.length * chats.length * each);
  for (const { credentials } of callers) {
    const taken = new Map(chats.map((chat) => [chat, [] as string[]]));
    const ids = new Set<string>();
    for (const { id, body } of receiver.taken) {
      const event = JSON.parse(body.toString()) as WebhookBody<"group.message.new">;
      if (event.session !== credentials.id || ids.has(id)) continue;
      ids.add(id);
      taken.get(event.data.chat.id)?.push(event.data.text);
    }
    expect(taken).toEqual(sent);
  }
});
