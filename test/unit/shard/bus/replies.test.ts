import { afterAll, beforeAll, expect, it } from "vitest";
import type { CommandId, SessionId } from "../../../../shared/contract/ids.js";
import { keys } from "../../../../shared/redis/keys.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { Replies } from "../../../../shard/bus/replies.js";
import { ReplyWriter } from "../../../../shard/bus/reply-writer.js";
import { Task } from "../../../../shard/bus/task.js";
import { RedisClock } from "../../../../shard/redis/redis-clock.js";
import { eventually } from "../../../harness/eventually.js";
import { testRing } from "../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

const stream = keys.commands("m1");
let redis: TestRedis;
let clock: RedisClock;

beforeAll(async () => {
  redis = await startRedis();
  clock = new RedisClock(redis.client, stream, silentLog);
  await clock.start();
});
afterAll(async () => {
  await clock.stop();
  await redis.stop();
});

const refuseWrites = (refuse: boolean): Promise<unknown> => redis.client.config("SET", "min-replicas-to-write", refuse ? "1" : "0");

it.each([
  ["for as long as anybody waited goes", false],
  ["of a caller who had gone goes", true],
])("an entry whose reply Redis refused %s with the next one", async (_, cancelled) => {
  const replyTo = `r${cancelled}`;
  await redis.client.xgroup("CREATE", keys.replies(replyTo), "g", "0", "MKSTREAM");
  const replies = new Replies({
    writer: new ReplyWriter(redis.client, redis.client, stream, testRing),
    onUndelivered: () => undefined,
    log: silentLog,
  });
  const taskOf = async (id: string): Promise<Task> => {
    const entry = (await redis.client.xadd(stream, "*", "e", id)) ?? "";
    const left = new AbortScope();
    if (cancelled) left.abort();
    const session = "65f000000000000000000001" as SessionId;
    const task = new Task({
      entry,
      ageMs: () => clock.ageOf(entry),
      envelope: {
        id: id as CommandId,
        platform: "whatsapp",
        command: "list-groups",
        session,
        slot: 1,
        replyTo,
        ttl: 1,
        attempt: 0,
        input: Buffer.of(),
      },
      facts: undefined,
      left,
      effect: "none",
    });
    if (cancelled) task.leaveCaller(false);
    return task;
  };
  const [first, second] = [await taskOf("a"), await taskOf("b")];
  await refuseWrites(true);
  await expect(replies.reply(first, { kind: "expired" }, () => undefined)).rejects.toThrow("NOREPLICAS");
  await refuseWrites(false);
  await replies.reply(second, { kind: "expired" }, () => undefined);
  await eventually("an empty stream", async () => (await redis.client.xlen(stream)) === 0);
});

it("logs an unreadable entry and keeps it for an operator", async () => {
  const fields = new Map([["e", Buffer.from("?")]]);
  const id = (await redis.client.xadd(stream, "*", "e", "?")) ?? "";
  const logged: unknown[] = [];
  const replies = new Replies({
    writer: new ReplyWriter(redis.client, redis.client, stream, testRing),
    onUndelivered: () => undefined,
    log: { ...silentLog, error: (...line: unknown[]) => void logged.push(line) },
  });
  replies.bury({ id, fields });
  expect(logged).toEqual([[{ entry: id }, "command envelope unreadable"]]);
  await eventually("the kept entry", async () => (await redis.client.xlen(keys.deadCommands)) === 1);
});
