import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { loggedIn, request } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { NumberedLoad } from "../harness/numbered-load.js";
import { ownerOf } from "../harness/owner-of.js";
import { TelegramSide } from "../harness/telegram-side.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ shards: 2 });
});
afterAll(() => gateway.stop());

it("delivers a session's messages in the order in which its router accepted them, over a kill, a move and lost connections", async () => {
  const side = new TelegramSide(gateway);
  const caller = await loggedIn(gateway, "alice");
  const load = new NumberedLoad(gateway.telegram[0] ?? "", caller, await side.phoneOf("bob"));
  load.start();
  await load.further(10);
  const owner = await ownerOf(gateway, caller);
  process.kill(await gateway.shardPid(owner), "SIGKILL");
  await load.further(20);
  const member = (await ownerOf(gateway, caller)) === "shard-1" ? "shard-2" : "shard-1";
  const address = `${gateway.telegram[0]?.replace(/\/telegram$/, "") ?? ""}/admin/sessions/${caller.credentials.id}/move`;
  await eventually("a move", async () => {
    const headers = { "x-api-key": gateway.adminKey, "content-type": "application/json" };
    return (await request(address, { method: "POST", headers, body: JSON.stringify({ member }) })).status === 200;
  });
  await eventually("the other owner", async () => (await ownerOf(gateway, caller)) === member);
  await load.further(20);
  const redis = await connectRedis(gateway.redisUrl, "writer", silentLog);
  await redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  redis.disconnect();
  await load.further(20);
  const sent = await load.stop();
  const texts = (await side.received("alice", "message")).map(({ text }) => text);
  expect(sent.length).toBeGreaterThan(50);
  expect(texts.filter((text) => sent.includes(text))).toEqual(sent);
});
