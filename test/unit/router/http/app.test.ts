import { Agent, request as nodeRequest } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HttpApp } from "../../../../router/http/app.js";
import type { HttpLimits } from "../../../../router/http/limits.js";
import type { HttpHandler } from "../../../../router/http/handler.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { forAnybody } from "../../../../router/endpoint/caller-handler.js";
import { catching } from "../../../../router/endpoint/serve.js";
import type { HttpRequest } from "../../../../router/http/request.js";
import { json } from "../../../../router/http/response.js";
import { anApp, openSocket, pause, raw, RecordedMetrics, until, plainCatch } from "../support.js";

let app: HttpApp;
let metrics: RecordedMetrics;
let last: HttpRequest | undefined;
let address: string | undefined;
let aborted: unknown;
let calls = 0;

const echo: HttpHandler = (request) => {
  last = request;
  address = request.address();
  calls++;
  return Promise.resolve(json(200, "{}"));
};
const readBody: HttpHandler = async (request) => json(200, JSON.stringify({ length: (await request.body()).length }));
const never: HttpHandler = (_, signal) => {
  calls++;
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject((aborted = signal.reason))));
};

async function start(limits: Partial<HttpLimits> = {}): Promise<string> {
  metrics = new RecordedMetrics();
  last = undefined;
  aborted = undefined;
  calls = 0;
  app = anApp(metrics, limits);
  app.route("GET", "/echo/:one/x/:two", echo, { name: "echo", deadlineMs: 5_000 });
  app.route("GET", "/echo", echo, { name: "echo", deadlineMs: 5_000 });
  app.route("POST", "/echo", echo, { name: "echo", deadlineMs: 5_000 });
  app.route("POST", "/body", catching(forAnybody(readBody), "body", plainCatch), { name: "body", deadlineMs: 5_000 });
  app.route("GET", "/never", never, { name: "never", deadlineMs: 60_000 });
  app.route("GET", "/late", never, { name: "late", deadlineMs: 100 });
  app.route("GET", "/broken", () => Promise.reject(new Error("secret detail")), { name: "broken", deadlineMs: 5_000 });
  app.route(
    "GET",
    "/throws",
    () => {
      throw new Error("secret detail");
    },
    { name: "throws", deadlineMs: 5_000 },
  );
  const refusal = (): never => {
    throw new Error("secret detail");
  };
  app.route("GET", "/unchecked", echo, { name: "unchecked", deadlineMs: 5_000, refusal });
  app.route("GET", "/slow", async () => (await pause(300), json(200, '"slow"')), { name: "slow", deadlineMs: 5_000 });
  await app.listen();
  return `http://127.0.0.1:${app.port}`;
}

afterEach(async () => {
  await app.stop(0);
  vi.restoreAllMocks();
});

describe("HttpApp", () => {
  it("gives the handler a copy of the request that outlives the engine's", async () => {
    const base = await start();
    const answer = await fetch(`${base}/echo/a%20b/x/%2F?q=1&q=%41`, { headers: { "X-Test": "v" } });
    expect(answer.status).toBe(200);
    expect(last).toMatchObject({ method: "GET", path: "/echo/a%20b/x/%2F", query: "q=1&q=%41", params: { one: "a%20b", two: "%2F" } });
    expect(address).toMatch(/127\.0\.0\.1/);
    // The engine forbids any call on a finished response.
    expect(last?.address()).toBe("");
    expect(last?.headers.get("x-test")).toEqual(["v"]);
  });

  it("keeps every value of a repeated header", async () => {
    await start();
    await raw(app.port, "GET /echo HTTP/1.1\r\nHost: x\r\nid: 1\r\nID: 2\r\n\r\n");
    expect(last?.headers.get("id")).toEqual(["1", "2"]);
  });

  it("responds with JSON that must not be cached, without the engine's name", async () => {
    const base = await start();
    const { headers } = await fetch(`${base}/echo`);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("uwebsockets")).toBeNull();
  });

  it.each(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])(
    "answers 404 in shape to %s on an unknown path",
    async (method) => {
      const base = await start();
      const answer = await fetch(`${base}/nothing/"here"?x=1`, { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ statusCode: 404, message: `Cannot ${method} /nothing/%22here%22` });
    },
  );

  it("responds with a JSON 405 to another method on a known path", async () => {
    const base = await start();
    expect(await (await fetch(`${base}/echo`, { method: "PUT" })).json()).toEqual({ statusCode: 405, message: "Cannot PUT /echo" });
  });

  it("responds to HEAD with the length of the omitted body, and keeps the connection usable", async () => {
    await start();
    const one = "HEAD /echo HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer = await raw(app.port, [one, "HEAD /nothing HTTP/1.1\r\nHost: x\r\n\r\n", "GET /echo HTTP/1.1\r\nHost: x\r\n\r\n"], 2_000);
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
    expect(answer.text).toContain("Content-Length: 2\r\n");
    expect(answer.text).not.toContain("statusCode");
    expect(answer.closed).toBe(false);
  });

  it.each(["/broken", "/throws", "/unchecked"])("answers 500 without details when a handler or its check fails: %s", async (path) => {
    const lines = { error: vi.spyOn(silentLog, "error"), warn: vi.spyOn(silentLog, "warn") };
    const base = await start();
    const answer = await fetch(base + path, { headers: { "x-request-id": "order-4711" } });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ statusCode: 500, message: "internal server error" });
    const fields = { err: new Error("secret detail"), route: path.slice(1), requestId: "order-4711", status: 500 };
    expect(lines.error.mock.calls).toEqual([[expect.objectContaining(fields), "request failed"]]);
    expect(lines.warn).not.toHaveBeenCalled();
  });

  it("ends a handler that outlives its deadline", async () => {
    const base = await start();
    const answer = await fetch(`${base}/late`);
    expect(answer.status).toBe(500);
    expect(aborted).toMatchObject({ message: "deadline of the request passed" });
  });

  it("notifies the handler when its client has left", async () => {
    await start();
    const socket = await openSocket(app.port);
    socket.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => calls === 1);
    expect(metrics.running).toBe(1);
    socket.destroy();
    await until(() => metrics.running === 0);
    expect(aborted).toMatchObject({ message: "client closed the connection" });
    expect(metrics.requests.at(-1)).toEqual({ route: "never", status: 0 });
  });

  it("responds with 503 past the limit of requests in progress", async () => {
    const base = await start({ requests: 2 });
    const sockets = await Promise.all([1, 2].map(() => openSocket(app.port)));
    for (const socket of sockets) socket.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => calls === 2);
    const answer = await fetch(`${base}/echo`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toEqual({ statusCode: 503, message: "server busy" });
    for (const socket of sockets) socket.destroy();
    await until(() => metrics.running === 0);
    expect((await fetch(`${base}/echo`)).status).toBe(200);
  });

  it("closes connections past the limit", async () => {
    await start({ connections: 3 });
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(app.port)));
    await until(() => metrics.open === 3);
    expect((await raw(app.port, "GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")).text).toBe("");
    for (const socket of sockets) socket.destroy();
    await until(() => metrics.open === 0);
    expect((await raw(app.port, "GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")).status).toBe(200);
  });

  it("refuses a port that is taken", async () => {
    await start();
    const other = new HttpApp({ host: "127.0.0.1", port: app.port, metrics: new RecordedMetrics(), log: silentLog });
    await expect(other.listen()).rejects.toThrow(`cannot listen on 127.0.0.1 port ${app.port}`);
    await other.stop(0);
  });
});

describe("request bodies", () => {
  const limit = { bodyBytes: 1000 };

  it.each([0, 1, 999, 1000])("reads %i bytes", async (length) => {
    const base = await start(limit);
    const answer = await fetch(`${base}/body`, { method: "POST", body: "x".repeat(length) });
    expect(await answer.json()).toEqual({ length });
  });

  it("reads a body without a length, in pieces", async () => {
    await start(limit);
    const head = "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect((await raw(app.port, [head, "5\r\nhel", "lo\r\n", "3\r\nabc\r\n", "0\r\n\r\n"])).body).toBe('{"length":8}');
  });

  it.each([1001, 100_000, 3_000_000])("responds with a JSON 413 to %i bytes, and keeps the connection usable", async (length) => {
    const base = await start(limit);
    const answer = await fetch(`${base}/body`, { method: "POST", body: "x".repeat(length) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ statusCode: 413, message: "request body is too large" });
  });

  it.each([
    ["as they are written", "5\r\nabcde\r\n0\r\n\r\n"],
    ["with another end than theirs", "5\r\nabcdeXX0\r\n\r\n"],
  ])("takes nothing behind chunks %s for a request: a proxy may see another end", async (_, chunks) => {
    await start(limit);
    const head = "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const next = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab";
    for (const parts of [[head + chunks], [head + chunks, next], [head + chunks + next]]) {
      const answer = await raw(app.port, parts);
      expect(answer.closed).toBe(true);
      expect(answer.text).not.toContain('{"length":2}');
    }
  });

  it("counts a body without a length too", async () => {
    await start(limit);
    const head = "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const answer = await raw(app.port, [head, `${(4000).toString(16)}\r\n${"x".repeat(4000)}\r\n`, "0\r\n\r\n"]);
    expect(answer.status).toBe(413);
  });

  it("closes the connection on a body that does not end", async () => {
    await start(limit);
    const answer = await raw(app.port, `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n${"x".repeat(100_000)}`);
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("Connection: close");
    expect(answer.closed).toBe(true);
  });

  it("keeps the connection when a handler responds without reading the body", async () => {
    await start(limit);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const call = nodeRequest({ port: app.port, host: "127.0.0.1", path: "/echo", method: "POST", agent }, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode));
        });
        call.on("error", reject).end("y".repeat(500_000));
      });
    expect(await post()).toBe(200);
    expect(await post()).toBe(200);
    expect(metrics.open).toBe(1);
    agent.destroy();
  });

  it("frees the handler when the client leaves in the middle of its body", async () => {
    await start(limit);
    const socket = await openSocket(app.port);
    socket.write("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nabc");
    await until(() => metrics.running === 1);
    socket.destroy();
    await until(() => metrics.running === 0);
    expect(metrics.requests.at(-1)).toEqual({ route: "body", status: 0 });
  });
});

describe("leave", () => {
  it("closes each connection after its response, and still accepts new ones", async () => {
    await start();
    const { port } = app;
    const kept = await openSocket(port);
    let answer = "";
    kept.on("data", (part) => (answer += String(part)));
    kept.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => metrics.running === 1);
    app.leave();
    await until(() => kept.closed);
    expect(answer).toContain("Connection: close");
    const { status, closed } = await raw(port, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", 1000);
    expect([status, closed]).toEqual([200, true]);
  });
});

describe("stop", () => {
  it("lets running requests finish, closes their connections and takes no new ones", async () => {
    await start();
    const { port } = app;
    const answer = raw(port, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", 1000);
    await until(() => metrics.running === 1);
    const stopping = app.stop(5_000);
    await expect(openSocket(port)).rejects.toThrow();
    const { status, text, closed } = await answer;
    expect([status, closed]).toEqual([200, true]);
    expect(text).toContain("Connection: close");
    await stopping;
    expect(metrics.open).toBe(0);
  });

  it("ends what is left after the deadline", async () => {
    await start();
    const client = await openSocket(app.port);
    let answer = "";
    client.on("data", (part) => (answer += String(part)));
    client.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
    await until(() => metrics.running === 1);
    await app.stop(100);
    await until(() => client.closed && metrics.running === 0);
    // Neither the client nor the request's deadline ended it: the deadline would have sent a response.
    expect(answer).toBe("");
    expect(metrics.requests.at(-1)).toEqual({ route: "never", status: 0 });
  });
});
