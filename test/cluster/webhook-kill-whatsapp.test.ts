import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WhatsAppMessage } from "../../shared/contract/whatsapp/webhook-body.js";
import { loggedIn } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

/** WhatsApp accounts receive messages at a steady rate while processes die. `WEBHOOK_KILL_SECONDS=120` is the full load. */
const seconds = Number(process.env["WEBHOOK_KILL_SECONDS"] ?? 8);
const isFull = seconds >= 60;
const [count, perSecond] = isFull ? [20, 50] : [6, 20];
const accounts = Array.from({ length: count }, (_, index) => `kept-${index}`);
const events = ["message.new", "group.message.new"];

let gateway: Gateway;
let receiver: WebhookReceiver;
let side: WhatsAppSide;
/** The chats of each account: two people and a group. */
const chats = new Map<string, readonly string[]>();
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 3 });
  receiver = await WebhookReceiver.start();
  // Some 2xx are late enough for a kill to fall between the response and the write.
  receiver.respond = () =>
    receiver.requests.length % 4 !== 0
      ? 200
      : (response, request) => {
          setTimeout(() => {
            request.status = 200;
            response.writeHead(200).end();
          }, 40);
        };
  side = new WhatsAppSide(gateway);
  for (const account of accounts) {
    await posted("/accounts", { account, contacts: 2, groups: 1, members: 3, channels: 0 });
    const caller = await loggedIn(gateway, account, "whatsapp");
    expect((await caller.send("PUT", "/session/webhook", { url: receiver.url, token: "kill-test", events })).status).toBe(200);
    const { docs } = (await caller.get("/group")).body as { readonly docs: readonly { readonly id: string }[] };
    expect(docs).toHaveLength(1);
    chats.set(account, ["bob", "carol", ...docs.map(({ id }) => id)]);
  }
}, 240_000);
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

async function posted(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await side.post(path, body);
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body as Record<string, unknown>;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function kill(shard: string): Promise<void> {
  const pid = await gateway.shardPid(shard);
  process.kill(pid, "SIGKILL");
  await eventually(`${shard} back`, async () => (await gateway.shardPid(shard)) !== pid);
}

/** Longer than the lease, so that other shards take over. */
async function freeze(shard: string): Promise<void> {
  // The supervisor may just have ended the process.
  const pid = await eventually(`${shard} frozen`, async () => {
    const found = await gateway.shardPid(shard);
    return process.kill(found, "SIGSTOP") && found;
  });
  await pause(6_000);
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // The supervisor has replaced the frozen process.
  }
}

async function restartRedis(): Promise<void> {
  const client = new Redis({ path: gateway.redisUrl, retryStrategy: () => 100 });
  client.on("error", () => undefined);
  const pid = async (): Promise<number> => Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
  try {
    const before = await pid();
    process.kill(before, "SIGKILL");
    await eventually("another Redis", async () => (await pid()) !== before);
  } finally {
    client.disconnect();
  }
}

/** Returns the ids of each chat's messages in order, by account and chat. */
async function write(account: string, run: string, endsAt: number): Promise<Map<string, string[]>> {
  const sent = new Map<string, string[]>();
  const own = chats.get(account) ?? [];
  for (let n = 0; performance.now() < endsAt; n += 1) {
    const startedAt = performance.now();
    const chat = own[n % own.length] ?? "";
    const text = `${run} ${account} ${chat} ${n}`;
    const { messageId } = await posted("/people/send", { account, chat, text });
    sent.set(chat, [...(sent.get(chat) ?? []), String(messageId)]);
    await pause(Math.max(0, (count / perSecond) * 1_000 - (performance.now() - startedAt)));
  }
  return sent;
}

async function unconfirmed(): Promise<string[]> {
  const lists = await Promise.all(accounts.map((account) => side.docs(`/deliveries?platform=whatsapp&account=${account}&confirmed=false`)));
  return lists.flat().map(({ messageId }) => String(messageId));
}

interface Got {
  readonly account: string;
  readonly chat: string;
  readonly messageId: string;
  readonly type: string;
}

/** Reads what the receiver got in a run. Fails for two bodies under one event id and for a message under two event ids. */
function received(run: string): { readonly got: readonly Got[]; readonly repeats: number } {
  const bodies = new Map<string, string>();
  const idOf = new Map<string, string>();
  const got: Got[] = [];
  let repeats = 0;
  for (const { id, body, status } of receiver.requests) {
    const bytes = body.toString("base64");
    expect(bodies.get(id) ?? bytes).toBe(bytes);
    bodies.set(id, bytes);
    const { data } = JSON.parse(body.toString()) as { readonly data: WhatsAppMessage };
    const [ofRun = "", account = "", chat = ""] = data.text.split(" ");
    if (ofRun !== run) continue;
    expect([data.id, idOf.get(data.id) ?? id]).toEqual([data.id, id]);
    if (status !== 200) continue;
    if (idOf.has(data.id)) repeats += 1;
    else got.push({ account, chat, messageId: data.id, type: data.type });
    idOf.set(data.id, id);
  }
  return { got, repeats };
}

/** Writes to all accounts while `trouble` goes on in rounds, then requires that each message was reported once and in order. */
async function survives(run: string, trouble: (round: number) => Promise<void>, gapMs: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  const writing = Promise.all(accounts.map((account) => write(account, run, endsAt)));
  let rounds = 0;
  for (; performance.now() < endsAt; rounds += 1) {
    await pause(gapMs);
    await trouble(rounds);
  }
  const sent = await writing;
  const total = sent.flatMap((one) => [...one.values()].flat()).length;
  const wroteAt = performance.now();
  const taken = (): number => new Set(receiver.taken.map(({ id }) => id)).size;
  const before = taken();
  await eventually("all events", () => received(run).got.length >= total).catch(() => undefined);
  const settledMs = performance.now() - wroteAt;
  const { got, repeats } = received(run);
  process.stdout.write(
    `${run}: ${total} messages, ${rounds} rounds, ${before} events so far at the end, ${got.length} events of this run ` +
      `${Math.round(settledMs)} ms later, ${repeats} repeats, ${got.filter(({ type }) => type !== "text").length} without text\n`,
  );
  const reported = new Set(got.map(({ messageId }) => messageId));
  const lost = sent.flatMap((one) => [...one.values()].flat()).filter((id) => !reported.has(id));
  expect(lost).toEqual([]);
  for (const [index, account] of accounts.entries())
    for (const [chat, ids] of sent[index] ?? [])
      expect(got.filter((one) => one.account === account && one.chat === chat).map(({ messageId }) => messageId)).toEqual(ids);
  await eventually("all confirmed", async () => (await unconfirmed()).length === 0, 30_000).catch(() => undefined);
  expect(await unconfirmed()).toEqual([]);
}

describe("messages of WhatsApp accounts are all reported once and in order", () => {
  const shards = ["shard-1", "shard-2", "shard-3"];
  const shard = (round: number): string => shards[round % shards.length] ?? "";

  it("while shards are killed every few seconds", () => survives("killed", (round) => kill(shard(round)), 2_000), 600_000);

  it("while shards freeze and Redis restarts", async () => {
    await gateway.settled();
    await survives("frozen", (round) => (round % 2 === 0 ? freeze(shard(round)) : restartRedis()), 1_000);
  }, 600_000);
});
