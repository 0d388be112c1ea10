import { afterEach, beforeEach, expect, it } from "vitest";
import { ReplyStream } from "../../../../router/bus/reply-stream.js";
import { writeReply } from "../../../../shared/bus/envelope-bytes.js";
import type { CommandId } from "../../../../shared/contract/ids.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { keys } from "../../../../shared/redis/keys.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let writer: RedisClient;
let replies: ReplyStream;
let heard: string[];
let lost: number;
const stream = keys.replies("router-1:life");
const session = newSessionId(Date.now());

beforeEach(async () => {
  redis = await startRedis();
  writer = await connectRedis(redis.url, "writer", silentLog);
  const reader = await connectRedis(redis.url, "reader", silentLog);
  heard = [];
  lost = 0;
  replies = new ReplyStream({
    router: "router-1:life",
    writer,
    reader,
    onReply: ({ id }) => heard.push(id) > 0,
    onLost: () => lost++,
    log: silentLog,
  });
  await replies.start();
});
afterEach(async () => {
  await replies.stop();
  writer.disconnect();
  await redis.stop();
});

/** Sends a reply as a shard does. Resolves with `null` when there is no stream. */
const reply = (id: string, at = "*"): Promise<string | null> =>
  redis.client.xadd(stream, "NOMKSTREAM", at, "r", writeReply({ id: id as CommandId, session, outcome: { kind: "moved" } }));

it("receives replies", async () => {
  await reply("0000000000000001");
  await eventually("heard", () => heard.length === 1);
  expect(heard).toEqual(["0000000000000001"]);
});

it("receives replies after its stream was lost while the clock of Redis was an hour ahead", async () => {
  await reply("0000000000000001", `${Date.now() + 3_600_000}-0`);
  await eventually("heard", () => heard.length === 1);
  await redis.client.del(stream);
  expect(await reply("0000000000000002")).toBeNull();
  // The router checks its stream at each new connection.
  writer.disconnect(true);
  await eventually("a stream", async () => (await redis.client.exists(stream)) === 1);
  await reply("0000000000000003");
  await eventually("heard", () => heard.includes("0000000000000003"));
});

it("has a stream again within a second or so of its loss", async () => {
  await redis.client.del(stream);
  await eventually("a stream", async () => (await redis.client.exists(stream)) === 1, 3_000);
  expect(lost).toBe(1);
  await reply("0000000000000001");
  await eventually("heard", () => heard.length === 1);
});

it("receives replies from a promoted Redis that lacks the last of them and whose clock is an hour behind", async () => {
  await reply("0000000000000001", `${Date.now() + 3_600_000}-0`);
  await eventually("heard", () => heard.length === 1);
  await redis.client.multi().del(stream).xadd(stream, "*", "r", "").exec();
  await reply("0000000000000002");
  await eventually("heard", () => heard.includes("0000000000000002"), 5_000);
  expect(lost).toBe(1);
});
