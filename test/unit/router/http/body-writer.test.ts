import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import type { HttpApp } from "../../../../router/http/app.js";
import type { HttpLimits } from "../../../../router/http/limits.js";
import { anApp, digestOfBody, openSocket, pause, raw, RecordedMetrics, until } from "../support.js";

/** A server of one stream, with counts of its body's use. */
interface Served {
  readonly app: HttpApp;
  readonly metrics: RecordedMetrics;
  pulled: number;
  returned: number;
}
const all: Served[] = [];

/** A body that counts its reads. */
async function* bodyOf(chunks: Iterable<Uint8Array | Error>, counts: Served): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (const chunk of chunks) {
      counts.pulled++;
      await Promise.resolve();
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  } finally {
    counts.returned++;
  }
}

async function start(chunks: Iterable<Uint8Array | Error>, length: number, limits: Partial<HttpLimits> = {}): Promise<Served> {
  const metrics = new RecordedMetrics();
  const served: Served = { app: anApp(metrics, limits), metrics, pulled: 0, returned: 0 };
  all.push(served);
  const headers = { "Content-Type": "video/mp4" };
  served.app.route(
    "GET",
    "/stream",
    () => Promise.resolve({ kind: "stream", status: 206, headers, length, body: bodyOf(chunks, served) }),
    {
      name: "stream",
      deadlineMs: 1_000,
    },
  );
  await served.app.listen();
  return served;
}

function* many(count: number, bytes: Uint8Array): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) yield bytes;
}

afterAll(async () => {
  for (const { app } of all) await app.stop(0);
});

describe("streams", () => {
  it("sends every byte in order, with the announced length, on a connection that stays usable", async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => randomBytes(index % 3 === 0 ? 512 * 1024 : 1 + index * 1000));
    const whole = Buffer.concat(chunks);
    const served = await start(chunks, whole.length);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 2; round++) {
      const call = get({ host: "127.0.0.1", port: served.app.port, path: "/stream", agent });
      const [answer]: IncomingMessage[] = await once(call, "response");
      expect([answer?.statusCode, answer?.headers["content-length"]]).toEqual([206, String(whole.length)]);
      const received: Buffer[] = [];
      for await (const data of answer ?? []) received.push(data);
      expect(Buffer.concat(received).equals(whole)).toBe(true);
    }
    expect(served.metrics.streams).toEqual([
      { end: "sent", bytes: whole.length },
      { end: "sent", bytes: whole.length },
    ]);
    expect(served.metrics.open).toBe(1);
    expect(served.returned).toBe(2);
    agent.destroy();
  });

  it("serves a reader that pauses, byte for byte", async () => {
    const chunks = Array.from({ length: 24 }, () => randomBytes(512 * 1024));
    const whole = Buffer.concat(chunks);
    const served = await start(chunks, whole.length);
    const socket = await openSocket(served.app.port);
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await digestOfBody(socket, whole.length, 0.2)).toBe(createHash("sha256").update(whole).digest("hex"));
  });

  it("reads no more than the client receives", async () => {
    const served = await start(many(200, Buffer.alloc(512 * 1024)), 200 * 512 * 1024);
    const socket = await openSocket(served.app.port);
    socket.pause();
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => served.pulled > 0);
    // The body is at rest after 50 turns of the event loop, 10 ms apart, without another read.
    for (let turns = 0, last = 0; turns < 50; turns = served.pulled === last ? turns + 1 : 0) {
      last = served.pulled;
      await pause(10);
    }
    // Only the kernel's socket buffers of both ends are filled, not the file sent.
    expect(served.pulled).toBeLessThan(30);
    socket.destroy();
    await until(() => served.returned === 1);
    expect(served.metrics.streams).toEqual([{ end: "aborted", bytes: 200 * 512 * 1024 }]);
  });

  it("skips empty chunks", async () => {
    const served = await start([Buffer.alloc(0), Buffer.from("ab"), Buffer.alloc(0), Buffer.from("c")], 3);
    expect(await (await fetch(`http://127.0.0.1:${served.app.port}/stream`)).text()).toBe("abc");
  });

  it("responds with an empty file", async () => {
    const served = await start([], 0);
    const answer = await fetch(`http://127.0.0.1:${served.app.port}/stream`);
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([206, "0", ""]);
    expect((await raw(served.app.port, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n", 100)).closed).toBe(false);
  });

  it.each<[string, (Uint8Array | Error)[], number]>([
    ["fails", [Buffer.from("abc"), new Error("shard is gone")], 10],
    ["ends too early", [Buffer.from("abc")], 10],
    ["is longer than announced", [Buffer.from("abc"), Buffer.from("defgh")], 5],
  ])("closes the connection when the body %s", async (_, chunks, length) => {
    const served = await start(chunks, length);
    const answer = await raw(served.app.port, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n", 1000);
    expect([answer.body, answer.closed]).toEqual(["abc", true]);
    expect(served.metrics.streams).toEqual([{ end: "failed", bytes: length }]);
    expect(served.returned).toBe(1);
  });

  it("cuts a reader that takes less than the limit for a whole window", async () => {
    const served = await start(many(100, Buffer.alloc(512 * 1024)), 100 * 512 * 1024, {
      slowReader: { bytesPerSecond: 8 * 1024 * 1024, windowMs: 600 },
    });
    const socket = await openSocket(served.app.port);
    socket.pause();
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    const startedAt = performance.now();
    await until(() => served.returned === 1);
    expect(performance.now() - startedAt).toBeGreaterThan(550);
    expect(served.metrics.streams).toEqual([{ end: "slow", bytes: 100 * 512 * 1024 }]);
    socket.destroy();
  });

  it("leaves a reader alone that is faster than the limit", async () => {
    const length = 40 * 512 * 1024;
    const served = await start(many(40, Buffer.alloc(512 * 1024)), length, { slowReader: { bytesPerSecond: 8 * 1024, windowMs: 2_000 } });
    const socket = await openSocket(served.app.port);
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    let received = 0;
    for await (const data of socket) {
      const bytes: Buffer = data;
      received += bytes.length;
      await pause(8);
      if (received > length) break;
    }
    await until(() => served.metrics.streams.length === 1);
    expect(served.metrics.streams).toEqual([{ end: "sent", bytes: length }]);
  });

  // These two tests mostly wait for the engine's and the router's time limits.
  it.concurrent("keeps a reader whose pace is fine, although the kernel has room for more only every so often", async () => {
    const length = 60 * 512 * 1024;
    const served = await start(many(60, Buffer.alloc(512 * 1024)), length);
    const socket = await openSocket(served.app.port);
    socket.pause();
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    let received = 0;
    const endsAt = performance.now() + 26_000;
    // At 100 KB/s a third of the kernel's buffers takes longer than the 10 s after which the engine drops a connection.
    while (performance.now() < endsAt) {
      received += (socket.read(Math.min(20_000, socket.readableLength)) as Buffer | null)?.length ?? 0;
      await pause(200);
    }
    expect(received).toBeGreaterThan(500_000);
    expect(served.metrics.streams).toEqual([]);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    await until(() => served.metrics.streams.length === 1);
  });

  it.concurrent("cuts a reader who takes nothing for 10 s, before the window is over", async () => {
    const served = await start(many(60, Buffer.alloc(512 * 1024)), 60 * 512 * 1024);
    const socket = await openSocket(served.app.port);
    socket.pause();
    socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    for (let second = 0; second < 40 && served.metrics.streams.length === 0; second++) await pause(1_000);
    expect(served.metrics.streams).toEqual([{ end: "slow", bytes: 60 * 512 * 1024 }]);
    socket.destroy();
  });

  it("survives 300 clients that leave at random points", async () => {
    const served = await start(many(20, Buffer.alloc(512 * 1024)), 20 * 512 * 1024);
    for (let round = 0; round < 30; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const socket = await openSocket(served.app.port);
          socket.write("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
          socket.resume();
          await pause(Math.random() * 15);
          socket.destroy();
        }),
      );
    }
    await until(() => served.metrics.running === 0 && served.metrics.open === 0);
    expect((await raw(served.app.port, "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", 50)).status).toBe(404);
  });
});
