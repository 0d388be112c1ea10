import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOwners } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/cluster/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import type { Group } from "../../shared/contract/whatsapp/group.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { Caller, loggedIn } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

/** Variant A's whole way over real processes, two routers and two shards, through the death of a shard and a restart of everything. */
let gateway: Gateway;
let platform: WhatsAppSide;
let alice: Caller;
let bob: string;
beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 2 });
  platform = new WhatsAppSide(gateway);
  alice = await loggedIn(gateway, "alice", "whatsapp");
  bob = await platform.phoneOf("bob");
});
afterAll(() => gateway.stop());

/** Sends a text that the recipient can decrypt. */
async function say(caller: Caller, text: string, to: object = { phone: bob }): Promise<void> {
  expect(await platform.sent(caller, "alice", "/message", { ...to, type: "text", text })).toMatchObject({ kind: "text", text });
}

const holdersOf = async (account: string): Promise<unknown[]> =>
  (await platform.docs("/connections?platform=whatsapp")).filter((row) => row["account"] === account);
const overlaps = (): Promise<unknown[]> => platform.docs("/overlaps");

/** The member that owns the slot of alice's session. */
async function ownerOf(): Promise<string> {
  const redis = await connectRedis(join(gateway.dataDir, "redis", "redis.sock"), "writer", silentLog);
  const { id } = alice.credentials;
  const [owner] = await readOwners(redis, isSessionId(id) ? [slotOf(id)] : []);
  redis.disconnect();
  return owner?.member ?? "";
}

describe("a connected session", () => {
  it("sends through both routers, to a person and to a group", async () => {
    await say(alice, "through the first");
    await say(alice.through(1), "through the second");
    const [group] = ((await alice.get("/group")).body as { docs: Group[] }).docs;
    await say(alice, "to all of you", { group: group?.id });
  });

  it("posts a status and shows that it types", async () => {
    expect((await platform.sent(alice, "alice", "/status", { type: "text", text: "on my way" })).audience.length).toBeGreaterThan(90);
    expect(await alice.send("POST", "/typing", { phone: bob })).toMatchObject({ status: 200, body: { id: alice.credentials.id } });
  });

  it("survives kill -9 of its shard: back without a QR, the next message readable, one owner at a time", async () => {
    const { phone } = await alice.record();
    const owner = await ownerOf();
    process.kill(await gateway.shardPid(owner), "SIGKILL");
    const killedAt = performance.now();
    await eventually("groups from the other shard", async () => (await alice.get("/group")).status === 200);
    process.stdout.write(`answered ${((performance.now() - killedAt) / 1000).toFixed(2)} s after kill -9 of ${owner}\n`);
    expect(await alice.record()).toMatchObject({ isConnected: true, qrcode: "", phone });
    await say(alice, "still here");
    await say(alice, "and here", { group: ((await alice.get("/group")).body as { docs: Group[] }).docs[0]?.id });
    expect(await holdersOf("alice")).toHaveLength(1);
    expect(await overlaps()).toEqual([]);
  });

  it("survives kill -9 in the middle of sending: every message arrives once", async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `number ${i}`);
    const killed = eventually("its pid", async () => gateway.shardPid(await ownerOf())).then((pid) => process.kill(pid, "SIGKILL"));
    const answers = await Promise.all(texts.map((text) => alice.send("POST", "/message", { phone: bob, type: "text", text })));
    await killed;
    await eventually("connected again", async () => (await alice.get("/group")).status === 200);
    const arrived = (await platform.received("alice", "message")).filter(({ text }) => texts.includes(text));
    // One id, one message: a repeat after the kill is the same message to its recipient.
    const ids = new Map(arrived.map(({ id, text }) => [text, id]));
    for (const [index, answer] of answers.entries()) {
      const text = texts[index] ?? "";
      if (answer.status === 200) expect(ids.get(text)).toBe((answer.body as { messageId: string }).messageId);
      else expect(answer.body).toMatchObject({ statusCode: expect.any(Number) as number });
      expect(new Set(arrived.filter((row) => row.text === text).map(({ id }) => id)).size).toBeLessThanOrEqual(1);
    }
    process.stdout.write(`answers around kill -9: ${JSON.stringify(answers.map(({ status }) => status))}\n`);
    expect(await overlaps()).toEqual([]);
  });

  it("finds its session again after Ctrl-C and a second start, and is still understood", async () => {
    const record = await alice.record();
    expect(await gateway.interrupt()).toBe(0);
    gateway = await startGateway({ routers: 2, shards: 2, from: gateway });
    platform = new WhatsAppSide(gateway);
    alice = new Caller(gateway, alice.credentials, 0, "whatsapp");
    await eventually("connected again", async () => (await alice.record()).isConnected);
    expect(await alice.record()).toEqual(record);
    await say(alice, "after the restart");
    expect(await overlaps()).toEqual([]);
  });
});
