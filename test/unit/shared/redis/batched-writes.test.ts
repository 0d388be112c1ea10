import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { eventually } from "../../../harness/eventually.js";
import { plainRedis } from "../../../harness/plain-redis.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let server: TestRedis;
let redis: RedisClient;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis(server.url, "writer", silentLog);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** Counts writes to the kernel with one command, and with several. */
function writes(): { single: () => number; several: () => number } {
  const single = vi.spyOn(plainRedis(redis).stream, "_write");
  const several = vi.spyOn(plainRedis(redis).stream, "_writev" as "_write");
  return { single: () => single.mock.calls.length, several: () => several.mock.calls.length };
}

it("writes all requests of one turn at once, in their order", async () => {
  const { single, several } = writes();
  const answers = await Promise.all([redis.set("a", "1"), redis.incr("a"), redis.incr("a"), redis.get("a")]);
  expect(answers).toEqual(["OK", 2, 3, "3"]);
  expect([single(), several()]).toEqual([0, 1]);
  expect(await redis.get("a")).toBe("3");
  expect([single(), several()]).toEqual([1, 1]);
});

it("does not wait for the reply to earlier writes", async () => {
  const { single } = writes();
  // Redis replies when another connection has pushed an element.
  const asked = [redis.blpop("list", 0)] as Promise<unknown>[];
  await new Promise((resolve) => setImmediate(resolve));
  expect(single()).toBe(1);
  asked.push(redis.set("b", "2"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(single()).toBe(2);
  await server.client.rpush("list", "x");
  await Promise.allSettled(asked);
  expect(await redis.get("b")).toBe("2");
});

it("goes on after the connection was lost in the middle of a turn", async () => {
  const lost = plainRedis(redis).stream;
  const asked = Promise.allSettled([redis.set("c", "1"), redis.set("c", "2")]);
  lost.destroy();
  await asked;
  await eventually("a new connection", () => redis.status === "ready" && plainRedis(redis).stream !== lost);
  expect(await Promise.all([redis.set("c", "3"), redis.get("c")])).toEqual(["OK", "3"]);
});
