import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpApp } from "../../../../router/http/app.js";
import type { HttpLimits } from "../../../../router/http/limits.js";
import type { BytesResponse } from "../../../../router/http/bytes-sender.js";
import type { HttpResponse } from "../../../../router/http/response.js";
import { anApp, digestOfBody, openSocket, pause, raw, RecordedMetrics, until } from "../support.js";

/** More bytes than the sockets of both ends buffer. */
const large = randomBytes(24 * 1024 * 1024);
const small = Buffer.from("0123456789");
let app: HttpApp;
let metrics: RecordedMetrics;
/** Responses whose bytes were released. */
let ended = 0;

const answer = (bytes: Uint8Array): BytesResponse => ({
  kind: "bytes",
  isMedia: true,
  status: 206,
  headers: { "Content-Type": "video/mp4" },
  bytes,
  onEnd: () => void ended++,
});

/** `/at-hand` responds synchronously, and `/later` from its handler. */
async function start(bytes: Uint8Array, limits: Partial<HttpLimits> = {}): Promise<void> {
  metrics = new RecordedMetrics();
  ended = 0;
  app = anApp(metrics, limits);
  const never = (): Promise<HttpResponse> => Promise.reject(new Error("nobody asks the handler"));
  app.route("GET", "/at-hand", never, { name: "at-hand", deadlineMs: 5_000, atHand: () => answer(bytes) });
  app.route("GET", "/later", async () => (await pause(1), answer(bytes)), { name: "later", deadlineMs: 5_000 });
  await app.listen();
}

afterEach(async () => {
  await app.stop(0);
});

describe.each(["/at-hand", "/later"])("bytes in memory, %s", (path) => {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it.each([small, large])("are sent whole, again and again over one connection", async (bytes) => {
    await start(bytes);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 1; round <= 3; round++) {
      const [reply]: IncomingMessage[] = await once(get({ host: "127.0.0.1", port: app.port, path, agent }), "response");
      expect([reply?.statusCode, reply?.headers["content-length"], reply?.headers["content-type"]]).toEqual([
        206,
        String(bytes.length),
        "video/mp4",
      ]);
      const parts: Buffer[] = [];
      for await (const part of reply ?? []) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    }
    await until(() => ended === 3);
    expect(metrics.streams).toEqual(Array.from({ length: 3 }, () => ({ end: "sent", bytes: bytes.length })));
    expect([metrics.open, metrics.running]).toEqual([1, 0]);
    agent.destroy();
  });

  it("reach a reader that pauses, byte for byte", async () => {
    await start(large);
    const socket = await openSocket(app.port);
    socket.write(request);
    expect(await digestOfBody(socket, large.length, 0.1)).toBe(createHash("sha256").update(large).digest("hex"));
  });

  it("are let go when the client leaves in their middle", async () => {
    await start(large);
    const socket = await openSocket(app.port);
    socket.pause();
    socket.write(request);
    await until(() => metrics.running === 1);
    // No event reports that the bytes are still held.
    await pause(50);
    expect(ended).toBe(0);
    socket.resetAndDestroy();
    await until(() => metrics.running === 0 && metrics.open === 0);
    expect([ended, metrics.streams]).toEqual([1, [{ end: "aborted", bytes: large.length }]]);
  });

  it("are let go when the client is slower than the limit for a whole window", async () => {
    await start(large, { slowReader: { bytesPerSecond: 8 * 1024 * 1024, windowMs: 300 } });
    const socket = await openSocket(app.port);
    socket.pause();
    socket.write(request);
    await until(() => ended === 1);
    expect(metrics.streams).toEqual([{ end: "slow", bytes: large.length }]);
    await until(() => metrics.running === 0 && metrics.open === 0);
    let received = 0;
    for await (const data of socket) received += (data as Buffer).length;
    // The client receives the buffered part and a closed connection, so it cannot take that for the whole.
    expect(received).toBeLessThan(large.length);
  });

  it("are released when the client sends its next request before they arrive", async () => {
    await start(large);
    const socket = await openSocket(app.port);
    socket.write(request);
    // The first bytes have arrived. The others wait, because nothing reads them.
    await once(socket, "readable");
    socket.write(request);
    // The engine closes such a connection (router/README.md, "The HTTP engine").
    await until(() => metrics.running === 0 && metrics.open === 0);
    expect([ended, metrics.streams.map(({ end }) => end)]).toEqual([1, ["aborted"]]);
  });

  it("are let go when the app stops", async () => {
    await start(large);
    const socket = await openSocket(app.port);
    socket.pause();
    socket.write(request);
    await until(() => metrics.running === 1);
    await app.stop(50);
    await until(() => metrics.running === 0);
    expect(ended).toBe(1);
  });

  it("survive 200 clients that leave at random points", async () => {
    await start(large);
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const socket = await openSocket(app.port);
          socket.write(request);
          socket.resume();
          await pause(Math.random() * 10);
          socket.destroy();
        }),
      );
    }
    await until(() => metrics.running === 0 && metrics.open === 0);
    await until(() => ended === metrics.requests.length);
    expect((await raw(app.port, "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", 50)).status).toBe(404);
  });
});
