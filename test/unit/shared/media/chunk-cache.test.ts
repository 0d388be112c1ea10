import { testRing } from "../../../harness/owned-session.js";
import { findings } from "../../../harness/redis-dump.js";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newSessionId } from "../../../../shared/contract/ids.js";
import type { MediaAddress, MediaDescription } from "../../../../shared/contract/media.js";
import { chunkBytes } from "../../../../shared/limits.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { ChunkCache, chunkRenewalMs } from "../../../../shared/media/chunk-cache.js";
import { DescriptionCache } from "../../../../shared/media/description-cache.js";
import { accountSequence } from "../../../../shared/media/message-media.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let server: TestRedis;
let redis: RedisClient;
beforeAll(async () => {
  server = await startRedis();
  redis = server.client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  await redis.flushall();
});

const fileKey = "0123456789abcdef0123456789abcdef";

describe("ChunkCache", () => {
  it.each([1, 100, 524_223, 524_224, 524_225, chunkBytes])("gives back %i bytes", async (length) => {
    const cache = new ChunkCache(redis);
    const bytes = randomBytes(length);
    await cache.put(fileKey, 3, bytes);
    expect((await cache.get(fileKey, 3, length))?.equals(bytes)).toBe(true);
  });

  it("misses what is not there and what has another length", async () => {
    const cache = new ChunkCache(redis);
    expect(await cache.get(fileKey, 0)).toBeUndefined();
    await cache.put(fileKey, 0, randomBytes(10));
    expect(await cache.get(fileKey, 0, 11)).toBeUndefined();
    expect(await cache.get(fileKey, 0)).toHaveLength(10);
  });

  it("restarts the hour with every read and every check", async () => {
    const cache = new ChunkCache(redis);
    await cache.put(fileKey, 0, randomBytes(10));
    const [key = ""] = await redis.keys("*");
    expect(key).toBe(`chunk:${fileKey}:0`);
    expect(await redis.ttl(key)).toBeGreaterThan(3590);
    await redis.expire(key, 5);
    await cache.get(fileKey, 0);
    expect(await redis.ttl(key)).toBeGreaterThan(3590);
    await redis.expire(key, 5);
    expect(await cache.has(fileKey, [0])).toBe(true);
    expect(await redis.ttl(key)).toBeGreaterThan(3590);
  });

  it("extends chunks that another process used, from the time of that use, and creates none", async () => {
    const cache = new ChunkCache(redis);
    await cache.put(fileKey, 0, randomBytes(10));
    await redis.expire(`chunk:${fileKey}:0`, 5);
    await cache.renew([0, 1].map((chunk) => ({ fileKey, chunk })));
    expect(await redis.ttl(`chunk:${fileKey}:0`)).toBeGreaterThanOrEqual(3600 + chunkRenewalMs / 1000);
    expect(await redis.exists(`chunk:${fileKey}:1`)).toBe(0);
    await cache.renew([]);
  });

  it("costs little more than its bytes", async () => {
    await new ChunkCache(redis).put(fileKey, 0, randomBytes(chunkBytes));
    const used = await redis.memory("USAGE", `chunk:${fileKey}:0`);
    // A single value of 512 KiB takes 657,079 bytes, because it crosses a size class of the allocator.
    expect(used).toBeLessThan(540_000);
  });

  it("reports whether all of many chunks exist", async () => {
    const cache = new ChunkCache(redis);
    const chunks = Array.from({ length: 600 }, (_, index) => index);
    await Promise.all(chunks.map((chunk) => cache.put(fileKey, chunk, Buffer.from([chunk & 255]))));
    expect(await cache.has(fileKey, chunks)).toBe(true);
    expect(await cache.has(fileKey, [])).toBe(true);
    await redis.del(`chunk:${fileKey}:599`);
    expect(await cache.has(fileKey, chunks)).toBe(false);
  });

  it("keeps bytes that are no text", async () => {
    const cache = new ChunkCache(redis);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    await cache.put(fileKey, 0, new Uint8Array(bytes));
    expect((await cache.get(fileKey, 0))?.equals(bytes)).toBe(true);
  });

  it("rejects when Redis is gone", async () => {
    const other = await connectRedis(server.url, "writer", silentLog);
    other.disconnect();
    const cache = new ChunkCache(other);
    await expect(cache.get(fileKey, 0)).rejects.toThrow();
    await expect(cache.put(fileKey, 0, Buffer.alloc(1))).rejects.toThrow();
  });
});

describe("DescriptionCache", () => {
  const session = newSessionId(Date.now());
  const holder = { session, account: "77" };
  const address: MediaAddress = { chatId: "-1001234567890", messageId: "5", variant: "file" };
  const description: MediaDescription = { size: 10, mimetype: "video/mp4", etag: "abc", fileKey, name: "film.mp4" };

  it("gives back what was put, with a new hour", async () => {
    const cache = new DescriptionCache(redis, testRing);
    expect(await cache.get(holder, address)).toBeUndefined();
    await cache.put(holder, address, description);
    const [key = ""] = await redis.keys("media-description:*");
    await redis.expire(key, 5);
    expect(await cache.get(holder, address)).toMatchObject({ description, ageMs: expect.any(Number) as number });
    expect(await redis.ttl(key)).toBeGreaterThan(3590);
    await cache.forget(holder, address);
    expect(await cache.get(holder, address)).toBeUndefined();
  });

  it("says nothing of a file or of whose it is to who reads Redis, and does not open under another key", async () => {
    const cache = new DescriptionCache(redis, testRing);
    await cache.put(holder, address, description);
    expect(await findings(redis, [session, "1001234567890", "film.mp4", "video/mp4", fileKey])).toEqual([]);
    const [key = ""] = await redis.keys("media-description:*");
    const sealed = (await redis.get(key)) ?? "";
    const other = { ...address, messageId: "6" };
    await cache.put(holder, other, description);
    for (const one of await redis.keys("media-description:*")) if (one !== key) await redis.set(one, sealed);
    expect(await cache.get(holder, other)).toBeUndefined();
  });

  it("belongs to one account on one session", async () => {
    const cache = new DescriptionCache(redis, testRing);
    await cache.put(holder, address, description);
    expect(await cache.get({ ...holder, session: newSessionId(Date.now()) }, address)).toBeUndefined();
    expect(await cache.get({ ...holder, account: "78" }, address)).toBeUndefined();
  });

  it("forgets every file of messages that were deleted, of those alone", async () => {
    const cache = new DescriptionCache(redis, testRing);
    const inChat = (chatId: string, messageId: string, variant: MediaAddress["variant"] = "photo"): MediaAddress => ({
      chatId,
      messageId,
      variant,
    });
    const channel = [inChat("-1001234567890", "6"), inChat("-1001234567890", "6", "thumb"), inChat("-1001234567890", "7", "file")];
    const others = [
      inChat("-1001234567890", "8"),
      inChat("-1001234567891", "6"),
      inChat("5", "6"),
      inChat("-77", "10"),
      inChat("-1001234567890", "6", "profile"),
    ];
    for (const one of [...channel, ...others]) await cache.put(holder, one, description);
    await cache.forgetMessages(holder, { sequence: "-1001234567890", ids: ["6", "7"] });
    for (const one of channel) expect(await cache.get(holder, one)).toBeUndefined();
    for (const one of others) expect(await cache.get(holder, one)).toMatchObject({ description });
    // The ids of a private chat and of a basic group come from one sequence.
    await cache.forgetMessages(holder, { sequence: accountSequence, ids: ["6", "10"] });
    for (const one of [inChat("5", "6"), inChat("-77", "10")]) expect(await cache.get(holder, one)).toBeUndefined();
    expect(await cache.get(holder, inChat("-1001234567890", "8"))).toMatchObject({ description });
  });

  it("says nothing of a message to who names another chat for it", async () => {
    const cache = new DescriptionCache(redis, testRing);
    await cache.put(holder, { chatId: "5", messageId: "11", variant: "file" }, description);
    expect(await cache.get(holder, { chatId: "-77", messageId: "11", variant: "file" })).toBeUndefined();
  });

  it.each(["", "{", "null", "{}", JSON.stringify({ ...description, size: "10" }), JSON.stringify({ description, at: 0 })])(
    "takes %s for a miss",
    async (text) => {
      const cache = new DescriptionCache(redis, testRing);
      await cache.put(holder, address, description);
      const [key = ""] = await redis.keys("media-description:*");
      for (const stored of [text, testRing.seal(Buffer.from(text), `v1|${key}`)]) {
        await redis.set(key, stored);
        expect(await cache.get(holder, address)).toBeUndefined();
      }
    },
  );
});
