import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { TrustedProxies } from "../../../../router/http/caller-addresses.js";
import { HttpApp } from "../../../../router/http/app.js";
import type { HttpHandler } from "../../../../router/http/handler.js";
import type { HttpLimits } from "../../../../router/http/limits.js";
import { json, jsonError } from "../../../../router/http/response.js";
import { forAnybody } from "../../../../router/endpoint/caller-handler.js";
import { catching } from "../../../../router/endpoint/serve.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { openSocket, RecordedMetrics, until, plainCatch } from "../support.js";

let app: HttpApp;
let metrics: RecordedMetrics;
const sockets: Socket[] = [];

const ends: HttpHandler = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

async function start(limits: Partial<HttpLimits>, trusted = ""): Promise<void> {
  metrics = new RecordedMetrics();
  app = new HttpApp({ host: "127.0.0.1", port: 0, metrics, log: silentLog, limits, trustedProxies: TrustedProxies.parse(trusted) });
  const options = (name: string): { name: string; deadlineMs: number } => ({ name, deadlineMs: 60_000 });
  app.route("GET", "/ok", () => Promise.resolve(json(200, '"ok"')), options("ok"));
  // The caller's lookup never ends, as while Redis is slow.
  app.route("GET", "/unknown", ends, options("unknown"));
  app.route("GET", "/known", async (request, signal) => (request.identified(), await ends(request, signal)), options("known"));
  app.route(
    "POST",
    "/body",
    catching(
      forAnybody(async (request) => json(200, String((await request.body()).length))),
      "body",
      plainCatch,
    ),
    options("body"),
  );
  app.route(
    "POST",
    "/known-body",
    catching(
      forAnybody(async (request) => (request.identified(), json(200, String((await request.body()).length)))),
      "body",
      plainCatch,
    ),
    options("known-body"),
  );
  app.route("POST", "/refused", ends, { ...options("refused"), refusal: () => jsonError(400, "invalid header") });
  app.route("POST", "/late", async () => (await new Promise((resolve) => setImmediate(resolve)), json(404, '"late"')), options("late"));
  await app.listen();
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.stop(0);
});

/** Sends a request and leaves the connection open. */
async function send(request: string, { from = "127.0.0.1", headers = "", body = "" } = {}): Promise<Socket> {
  const socket = await openSocket(app.port, from);
  sockets.push(socket);
  socket.write(`${request} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`);
  return socket;
}

async function statusOf(socket: Socket): Promise<number> {
  const [data] = (await once(socket, "data")) as [Buffer];
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString("latin1"))?.[1]);
}

const ask = async (request: string, options: Parameters<typeof send>[1] = {}): Promise<number> => statusOf(await send(request, options));
const withoutBody = { headers: "Content-Length: 10\r\n" };
const whole = { headers: "Content-Length: 2\r\n", body: "{}" };

describe("a response from memory", () => {
  it.each(["/nowhere", "/refused"])("waits for no body and takes no place: %s", async (path) => {
    await start({ requests: 1 });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(`POST ${path}`, withoutBody)));
    expect(new Set(statuses)).toEqual(new Set([path === "/nowhere" ? 404 : 400]));
    expect([metrics.running, metrics.turned]).toEqual([0, {}]);
    expect(await ask("GET /ok")).toBe(200);
  });

  it("leaves the connection usable when the body comes after it", async () => {
    await start({});
    const socket = await send("POST /nowhere", { headers: "Content-Length: 10\r\n" });
    expect(await statusOf(socket)).toBe(404);
    socket.write("012");
    socket.write("3456789GET /ok HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await statusOf(socket)).toBe(200);
    expect(metrics.open).toBe(1);
  });

  it("ends the connection of a body in chunks, whose end a proxy may see elsewhere", async () => {
    await start({});
    const socket = await send("POST /nowhere", { headers: "Transfer-Encoding: chunked\r\n" });
    expect(await statusOf(socket)).toBe(404);
    await until(() => metrics.open === 0);
  });

  it("ends its connection when half of all connections are open", async () => {
    await start({ connections: 4 });
    for (let count = 0; count < 2; count++) await openSocket(app.port).then((socket) => sockets.push(socket));
    await until(() => metrics.open === 2);
    const socket = await send("POST /nowhere", withoutBody);
    expect(await statusOf(socket)).toBe(404);
    await once(socket, "close");
  });
});

describe("requests whose callers are unknown or whose bodies are not in", () => {
  it("past the share of an address, the one that has waited longest for its body makes room", async () => {
    await start({ newcomersPerAddress: 3 });
    const [first, ...others] = [
      await send("POST /body", withoutBody),
      await send("POST /known-body", withoutBody),
      await send("POST /body", withoutBody),
    ];
    await until(() => metrics.strangers === 3);
    const answer = statusOf(first);
    expect(await ask("POST /body", whole)).toBe(200);
    expect(await answer).toBe(408);
    await once(first, "close");
    expect(metrics.turned).toEqual({ body: 1 });
    for (const socket of others) {
      socket.write("0123456789");
      expect(await statusOf(socket)).toBe(200);
    }
    await until(() => metrics.strangers === 0);
  });

  it("past the share of all as well", async () => {
    await start({ newcomers: 3 });
    const first = await send("POST /body", { ...withoutBody, from: "127.0.0.2" });
    await until(() => metrics.strangers === 1);
    await send("POST /body", { ...withoutBody, from: "127.0.0.3" });
    await send("POST /body", { ...withoutBody, from: "127.0.0.4" });
    await until(() => metrics.strangers === 3);
    const answer = statusOf(first);
    expect(await ask("GET /ok")).toBe(200);
    expect(await answer).toBe(408);
  });

  it("release their places, also while they wait for an unread body", async () => {
    await start({ requests: 3 });
    for (let count = 0; count < 3; count++) await send("POST /late", { headers: "Transfer-Encoding: chunked\r\n" });
    await until(() => metrics.running === 3);
    expect([await ask("GET /ok"), await ask("GET /ok"), await ask("GET /ok")]).toEqual([200, 200, 200]);
    expect(metrics.turned).toEqual({ body: 1 });
  });

  it("are rejected past their address's share when none waits for a body, without effect on other addresses", async () => {
    await start({ newcomersPerAddress: 2 });
    for (let count = 0; count < 2; count++) await send("GET /unknown", { from: "127.0.0.2" });
    await until(() => metrics.strangers === 2);
    expect(await ask("GET /ok", { from: "127.0.0.2" })).toBe(503);
    expect(await ask("GET /ok")).toBe(200);
    expect(metrics.turned).toEqual({ address: 1 });
  });

  it("take no share after authentication and the whole body", async () => {
    await start({ newcomersPerAddress: 2, newcomers: 2 });
    for (let count = 0; count < 5; count++) await send("GET /known");
    await until(() => metrics.running === 5);
    await send("GET /unknown");
    await until(() => metrics.strangers === 1);
    expect(await ask("GET /ok")).toBe(200);
  });

  it("leave with their clients", async () => {
    await start({ newcomersPerAddress: 2 });
    for (const path of ["POST /body", "GET /unknown"]) await send(path, path === "POST /body" ? withoutBody : {});
    await until(() => metrics.strangers === 2);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(() => metrics.strangers === 0 && metrics.running === 0);
    expect(await ask("GET /ok")).toBe(200);
  });

  it("behind a trusted proxy count for the address that it names", async () => {
    await start({ newcomersPerAddress: 1 }, "127.0.0.0/8");
    await send("GET /unknown", { headers: "X-Forwarded-For: 192.0.2.9, 192.0.2.1\r\n" });
    await until(() => metrics.strangers === 1);
    expect(await ask("GET /ok", { headers: "X-Forwarded-For: 192.0.2.1\r\n" })).toBe(503);
    expect(await ask("GET /ok", { headers: "X-Forwarded-For: 192.0.2.2\r\n" })).toBe(200);
  });

  it("count for the peer, whatever its headers say, without a trusted proxy", async () => {
    await start({ newcomersPerAddress: 1 });
    await send("GET /unknown", { headers: "X-Forwarded-For: 192.0.2.1\r\n" });
    await until(() => metrics.strangers === 1);
    expect(await ask("GET /ok", { headers: "X-Forwarded-For: 192.0.2.2\r\n" })).toBe(503);
  });
});
