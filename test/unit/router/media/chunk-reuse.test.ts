import { afterEach, beforeEach, expect, it } from "vitest";
import { chunkBytes } from "../../../../shared/limits.js";
import type { MediaAddress, MediaDescription } from "../../../../shared/contract/media.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { ChunkCache } from "../../../../shared/media/chunk-cache.js";
import { BulkReader } from "../../../../router/bus/redis/bulk-reader.js";
import { parseRedisAddress } from "../../../../shared/redis/address.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { openSocket, pause, until } from "../support.js";
import { ApiUnderTest } from "../telegram/api-under-test.js";

/** The memory of a chunk is reused as soon as no response sends it. No client may ever receive another chunk's bytes. */
const chunks = 40;
const size = chunks * chunkBytes - 77;
const address: MediaAddress = { chatId: "-100123", messageId: "42", variant: "file" };
const description: MediaDescription = {
  size,
  mimetype: "video/mp4",
  etag: "v1",
  fileKey: "0123456789abcdef0123456789abcdef",
  name: "film.mp4",
};

let server: TestRedis;
let bulk: BulkReader;
let api: ApiUnderTest;
let path: string;
const file = Buffer.alloc(size);
for (let at = 0; at + 8 <= size; at += 8) file.writeUInt32LE(at, at + 4);

beforeEach(async () => {
  server = await startRedis();
  bulk = new BulkReader({ redis: server.client, address: parseRedisAddress(server.url), log: silentLog });
  await bulk.start();
  await until(() => bulk.at("any key") !== undefined);
  const cache = new ChunkCache(server.client, bulk);
  for (let chunk = 0; chunk < chunks; chunk++)
    await cache.put(description.fileKey, chunk, file.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes));
  api = new ApiUnderTest();
  api.chunkStore = cache;
  api.answers = { "describe-media": () => description };
  path = api.links.sign(api.id, address, "mp4");
});
afterEach(async () => {
  await api.app.stop(0);
  bulk.stop();
  await server.stop();
});

it("1,000 ranges by 16 clients through memory for two chunks, among clients whose answers are stuck half sent, are the file's", async () => {
  await api.start({ memoryBytes: 2 * chunkBytes, streamLimits: { total: 400, perSession: 400 } });
  const filling = await answersUntilStuck();
  const over = new AbortController();
  let compared = 0;
  const stuck = Promise.all(Array.from({ length: 6 }, () => stall(filling, over.signal, () => compared++)));
  stuck.catch(() => undefined); // The promise is awaited below.
  let asked = 0;
  const ask = async (): Promise<void> => {
    while (asked++ < 1_000 || compared < 12) {
      const chunk = Math.floor(Math.random() * chunks);
      // Mostly a range within one chunk, sometimes across two or three.
      const from = chunk * chunkBytes + Math.floor(Math.random() * chunkBytes);
      const to = Math.min(
        size - 1,
        Math.random() < 0.8 ? Math.min(from + 100_000, (chunk + 1) * chunkBytes - 1) : from + Math.floor(Math.random() * 2 * chunkBytes),
      );
      if (from >= size) continue;
      const answer = await fetch(api.base + path, { headers: { range: `bytes=${from}-${to}` } });
      expect(answer.status).toBe(206);
      expect(Buffer.from(await answer.arrayBuffer()).equals(file.subarray(from, to + 1)), `${from}-${to}`).toBe(true);
    }
  };
  await Promise.race([Promise.all(Array.from({ length: 16 }, ask)), stuck]);
  over.abort();
  await stuck;
  expect(api.metrics.sources).toContain("memory");
  expect(api.metrics.sources).not.toContain("shard");
  await until(() => api.metrics.mediaStreams === 0);
});

const requestOf = (chunk: number, count = 1): string =>
  `GET /telegram${path} HTTP/1.1\r\nHost: x\r\nRange: bytes=${chunk * chunkBytes}-${(chunk + count) * chunkBytes - 1}\r\n\r\n`;
/** Skips the last chunk, which is shorter. */
const wholeChunk = (n: number): number => n % (chunks - 1);

/** Returns how many whole chunks the kernel buffers for a client that does not read, plus one. */
async function answersUntilStuck(): Promise<number> {
  const socket = await openSocket(api.app.port);
  socket.pause();
  let count = 0;
  while (api.metrics.mediaStreams === 0) {
    if (count++ > 100) throw new Error("the kernel takes everything");
    socket.write(requestOf(wholeChunk(count)));
    await pause(40);
  }
  socket.destroy();
  await until(() => api.metrics.mediaStreams === 0);
  return count;
}

/** Lets responses fill the connection until one is stuck, reads them all a while later, and compares them. */
async function stall(filling: number, over: AbortSignal, onCompared: () => void): Promise<void> {
  while (!over.aborted) {
    const socket = await openSocket(api.app.port);
    socket.pause();
    // Requests one stream of many chunks, or one response per chunk.
    const asStream = Math.random() < 0.5;
    const first = Math.floor(Math.random() * (asStream ? chunks - 1 - filling : chunks));
    if (asStream) socket.write(requestOf(first, filling));
    for (let n = 0; n < filling; n++) {
      if (!asStream) socket.write(requestOf(wholeChunk(first + n)));
      await pause(20 + Math.random() * 20);
    }
    await pause(Math.random() * 150);
    const received: Buffer[] = [];
    let length = 0;
    // If a response was not ready before the next request, the engine closes the connection, and this attempt is skipped.
    let leave = (): void => undefined;
    const bodies = await new Promise<Buffer[] | undefined>((resolve) => {
      leave = () => resolve(undefined);
      if (socket.destroyed || socket.readableEnded) return leave();
      const patience = setTimeout(leave, 5_000);
      over.addEventListener("abort", leave, { once: true });
      socket.on("data", (data: Buffer) => {
        received.push(data);
        length += data.length;
        const whole = length < filling * chunkBytes ? undefined : bodiesOf(Buffer.concat(received), filling, asStream ? 1 : filling);
        if (whole === undefined) return;
        clearTimeout(patience);
        resolve(whole);
      });
      socket.once("close", leave);
      socket.resume();
    });
    over.removeEventListener("abort", leave);
    socket.destroy();
    if (bodies === undefined) continue;
    for (const [n, body] of bodies.entries()) {
      const at = wholeChunk(first + n) * chunkBytes;
      expect(body.equals(file.subarray(at, at + chunkBytes)), `answer ${n}`).toBe(true);
    }
    onCompared();
  }
}

/** Returns the whole chunks of one or several responses, or undefined if the last one is not there yet. */
function bodiesOf(received: Buffer, chunks: number, responses: number): Buffer[] | undefined {
  const bodies: Buffer[] = [];
  let at = 0;
  for (let n = 0; n < chunks; n++) {
    if (n < responses) {
      const end = received.indexOf("\r\n\r\n", at);
      if (end < 0) return undefined;
      at = end + 4;
    }
    bodies.push(received.subarray(at, at + chunkBytes));
    at += chunkBytes;
  }
  return at <= received.length ? bodies : undefined;
}
