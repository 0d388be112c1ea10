import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { HttpApp } from "../../../../router/http/app.js";
import { anApp, openSocket, raw, RecordedMetrics, until } from "../support.js";

/** Tests bodies of unknown length. */
let app: HttpApp;
let metrics: RecordedMetrics;
let pulled = 0;
let returned = 0;

async function* bodyOf(pieces: Iterable<Uint8Array | Error | Promise<Uint8Array>>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (const piece of pieces) {
      pulled++;
      if (piece instanceof Error) throw piece;
      yield await piece;
    }
  } finally {
    returned++;
  }
}

async function start(pieces: Iterable<Uint8Array | Error | Promise<Uint8Array>>): Promise<void> {
  metrics = new RecordedMetrics();
  pulled = 0;
  returned = 0;
  app = anApp(metrics);
  const headers = { "Content-Type": "application/x-ndjson" };
  app.route("GET", "/rows", () => Promise.resolve({ kind: "open-ended", status: 200, headers, body: bodyOf(pieces) }), {
    name: "rows",
    deadlineMs: 500,
  });
  await app.listen();
}

function* many(count: number, bytes: Uint8Array): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) yield bytes;
}

const request = "GET /rows HTTP/1.1\r\nHost: x\r\n\r\n";

afterEach(async () => {
  await app.stop(0);
});

describe("a response of unknown length", () => {
  it("comes whole and in order, an empty piece ends nothing, and its connection serves the next request", async () => {
    const pieces = [new Uint8Array(0), ...Array.from({ length: 30 }, (_, index) => randomBytes(1 + index * 4_000)), new Uint8Array(0)];
    const whole = Buffer.concat(pieces);
    await start(pieces);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 2; round++) {
      const [answer]: IncomingMessage[] = await once(get({ host: "127.0.0.1", port: app.port, path: "/rows", agent }), "response");
      const received: Buffer[] = [];
      for await (const data of answer ?? []) received.push(data);
      expect([answer?.statusCode, answer?.headers["transfer-encoding"], answer?.complete]).toEqual([200, "chunked", true]);
      expect(Buffer.concat(received).equals(whole)).toBe(true);
    }
    expect([metrics.open, returned]).toEqual([1, 2]);
    agent.destroy();
  });

  it("is recorded once, when its head is sent, and its deadline covers the head only", async () => {
    let release: (piece: Uint8Array) => void = () => undefined;
    await start([Buffer.from("first\n"), new Promise<Uint8Array>((resolve) => (release = resolve))]);
    const socket = await openSocket(app.port);
    socket.write(request);
    const [head] = (await once(socket, "data")) as [Buffer];
    expect(head.toString("latin1")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(metrics.requests).toEqual([{ route: "rows", status: 200 }]);
    expect(metrics.running).toBe(1);
    let text = "";
    socket.on("data", (data: Buffer) => (text += data.toString("latin1")));
    await new Promise((resolve) => setTimeout(resolve, 600));
    release(Buffer.from("last\n"));
    await until(() => text.endsWith("0\r\n\r\n"));
    expect(text).toContain("last\n");
    await until(() => metrics.running === 0);
    expect(metrics.requests).toHaveLength(1);
    socket.destroy();
  });

  it("closes the connection when the body fails, so that it does not appear complete", async () => {
    await start([Buffer.from("first\n"), new Error("no more")]);
    const answer = await raw(app.port, request);
    expect([answer.status, answer.closed]).toEqual([200, true]);
    expect(answer.body).toContain("first");
    expect(answer.body).not.toMatch(/0\r\n\r\n$/);
    expect(returned).toBe(1);
  });

  it("reads nothing more after its client has left", async () => {
    await start(many(100_000, randomBytes(16 * 1024)));
    const socket = await openSocket(app.port);
    socket.write(request);
    await once(socket, "data");
    socket.destroy();
    await until(() => returned === 1 && metrics.running === 0);
    expect(pulled).toBeLessThan(100_000);
  });

  it("waits for a client that does not read, with no more in memory than its socket takes", async () => {
    const piece = randomBytes(64 * 1024);
    await start(many(4_096, piece));
    const socket = await openSocket(app.port);
    socket.pause();
    socket.write(request);
    // The kernel's buffers on both sides are full, and one piece waits.
    let before = -1;
    await until(() => {
      const same = pulled === before && pulled > 0;
      before = pulled;
      return same;
    });
    expect(pulled).toBeLessThan(400);
    let bytes = 0;
    socket.on("data", (data: Buffer) => (bytes += data.length));
    socket.resume();
    await until(() => bytes > 4_096 * piece.length && metrics.running === 0);
    expect(pulled).toBe(4_096);
    socket.destroy();
  });
});
