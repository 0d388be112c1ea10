import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpApp } from "../../../../router/http/app.js";
import { Cors } from "../../../../router/http/cors.js";
import type { HttpResponse } from "../../../../router/http/response.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { json, jsonError, PreparedHeaders } from "../../../../router/http/response.js";
import { raw, RecordedMetrics } from "../support.js";

/** Tests methods, paths and origins as browsers, proxies and careless clients send them. */
const page = "https://app.example.com";
const apps: HttpApp[] = [];
let metrics: RecordedMetrics;
let closed: HttpApp;
let open: HttpApp;
let released = 0;

const bytes = Buffer.from("0123456789");
async function* bodyOf(): AsyncGenerator<Uint8Array, void, undefined> {
  await Promise.resolve();
  yield bytes;
}
const released1 = {
  next: () => Promise.resolve({ done: false, value: bytes }),
  return: () => Promise.resolve({ done: true as const, value: released++ }),
};
const prepared = new PreparedHeaders({ "x-prepared": "yes", "x-more": "too" });
const longList = JSON.stringify({ docs: Array.from({ length: 500 }, (_, index) => ({ id: `member-${index}` })) });
const headers = { "x-kind": "own" };
const kinds: Readonly<Record<string, (head: boolean) => HttpResponse>> = {
  "/json": () => json(200, '{"a":1}'),
  "/error": () => jsonError(404, "session not found"),
  "/bytes": () => ({ kind: "bytes", status: 200, headers, prepared, bytes, isMedia: false, onEnd: () => void released++ }),
  "/stream": (head) => ({ kind: "stream", status: 200, headers, prepared, length: 10, body: head ? released1 : bodyOf() }),
  "/rows": (head) => ({ kind: "open-ended", status: 200, headers, body: head ? released1 : bodyOf() }),
};

async function start(origins: string): Promise<HttpApp> {
  const app = new HttpApp({ host: "127.0.0.1", port: 0, metrics, log: silentLog, cors: Cors.parse(origins) });
  for (const [path, answer] of Object.entries(kinds)) {
    const handler = ({ method }: { method: string }): Promise<HttpResponse> => Promise.resolve(answer(method === "HEAD"));
    app.route("GET", path as "/json", handler, { name: path, deadlineMs: 5_000 });
  }
  app.route("PUT", "/json", (request) => Promise.resolve(json(200, JSON.stringify(request.path))), { name: "put", deadlineMs: 5_000 });
  app.route("GET", "/one/:id", (request) => Promise.resolve(json(200, JSON.stringify(request.params))), { name: "one", deadlineMs: 5_000 });
  for (const [path, compressible] of [
    ["/list", true],
    ["/secret", false],
  ] as const)
    app.route("GET", path, () => Promise.resolve(json(200, longList)), { name: path, deadlineMs: 5_000, compressible });
  app.route("GET", "/exact/:id", () => Promise.resolve(json(200, "{}")), { name: "exact", deadlineMs: 5_000, exact: true });
  app.route("GET", "/refused", () => Promise.resolve(json(200, "{}")), {
    name: "refused",
    deadlineMs: 5_000,
    refusal: () => jsonError(401, "invalid api key"),
  });
  app.route("GET", "/warm", () => Promise.reject(new Error("not asked")), {
    name: "warm",
    deadlineMs: 5_000,
    atHand: () => ({ kind: "bytes", status: 200, headers, prepared, bytes, isMedia: false, onEnd: () => void released++ }),
  });
  await app.listen();
  apps.push(app);
  return app;
}

beforeAll(async () => {
  metrics = new RecordedMetrics();
  closed = await start("");
  open = await start(page);
});
afterAll(async () => {
  for (const app of apps) await app.stop(0);
});

const at = (app: HttpApp, path: string): string => `http://127.0.0.1:${app.port}${path}`;

describe("methods", () => {
  it.each([
    ["OPTIONS", "/json", 204, "GET, HEAD, PUT, OPTIONS"],
    ["OPTIONS", "/json/", 204, "GET, HEAD, PUT, OPTIONS"],
    ["OPTIONS", "/one/7", 204, "GET, HEAD, OPTIONS"],
    ["POST", "/json", 405, "GET, HEAD, PUT, OPTIONS"],
    ["DELETE", "/one/7", 405, "GET, HEAD, OPTIONS"],
    ["PROPFIND", "/json", 405, "GET, HEAD, PUT, OPTIONS"],
    ["POST", "/exact/7", 405, "GET, HEAD, OPTIONS"],
    ["POST", "/exact/7/", 404, null],
    ["OPTIONS", "/nothing", 404, null],
    ["OPTIONS", "/", 404, null],
  ])("%s %s: %i, Allow: %s", async (method, path, status, allow) => {
    const answer = await fetch(at(closed, path), { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
    const body = status === 204 ? "" : JSON.stringify({ statusCode: status, message: `Cannot ${method} ${path}` });
    expect(await answer.text()).toBe(body);
  });

  it("OPTIONS and 405 leave the connection usable, also with a body", async () => {
    const ask = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    const { text, closed: over } = await raw(closed.port, [ask("OPTIONS /json"), ask("POST /json"), ask("PUT /json")], 1_000);
    expect([text.match(/HTTP\/1\.1 \d+/g), over]).toEqual([["HTTP/1.1 204", "HTTP/1.1 405", "HTTP/1.1 200"], false]);
    // RFC 9110, section 8.6.
    expect(text.split("HTTP/1.1 405")[0]).not.toMatch(/content-length/i);
  });

  it.concurrent.each([
    "OPTIONS *",
    "OPTIONS x",
    "OPTIONS http://x/json",
    "OPTIONS //json",
    "options /json",
    "OPTIONS /json?a=b",
    "OPTIONS /%",
  ])("%s: an answer that is none of ours, or 204, 404, 405; and the server lives", async (line) => {
    const { text } = await raw(
      open.port,
      `${line} HTTP/1.1\r\nHost: x\r\nOrigin: ${page}\r\nAccess-Control-Request-Method: PUT\r\n\r\n`,
      150,
      1_000,
    );
    if (text !== "") expect(["204", "400", "404", "405", "505"]).toContain(text.slice(9, 12));
    expect((await fetch(at(open, "/json"))).status).toBe(200);
  });
});

describe("HEAD of every GET: the same head, and no body", () => {
  it.each([...Object.keys(kinds), "/one/7", "/refused", "/warm"])("%s", async (path) => {
    released = 0;
    const lines = (text: string): string[] =>
      (text.split("\r\n\r\n")[0] ?? "")
        .split("\r\n")
        .filter((line) => !/^(date|x-request-id|transfer-encoding):/i.test(line))
        .sort();
    const got = await raw(closed.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, 200);
    released = 0;
    const ask = `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const asked = await raw(closed.port, ask, 200);
    expect([lines(asked.text), asked.body]).toEqual([lines(got.text), ""]);
    // The body's source was released.
    if (["/bytes", "/stream", "/rows", "/warm"].includes(path)) expect(released).toBe(1);
    const both = await raw(closed.port, [ask, `GET /json HTTP/1.1\r\nHost: x\r\n\r\n`], 300);
    expect(both.text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(2);
  });

  it("is counted under the route's name", async () => {
    await fetch(at(closed, "/json"), { method: "HEAD" });
    expect(metrics.requests.at(-1)).toEqual({ route: "/json", status: 200 });
  });
});

describe("compressed responses", () => {
  it.each([
    ["/list", "br, gzip", "br"],
    ["/list", "gzip", "gzip"],
    ["/list", "identity", null],
    ["/secret", "br, gzip", null],
    ["/json", "br, gzip", null],
  ])("%s for %s: %s", async (path, accepted, coding) => {
    const answer = await fetch(at(closed, path), { headers: { "accept-encoding": accepted } });
    expect([answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual([
      coding,
      path === "/list" ? "Accept-Encoding" : null,
    ]);
    // The client decompresses the body.
    expect(await answer.text()).toBe(path === "/json" ? '{"a":1}' : longList);
  });

  it("responds to HEAD with the compressed length", async () => {
    const ask = async (method: string): Promise<Response> =>
      await fetch(at(closed, "/list"), { method, headers: { "accept-encoding": "gzip" } });
    const [got, asked] = [await ask("GET"), await ask("HEAD")].map((answer) => answer.headers.get("content-length"));
    expect(asked).toBe(got);
    expect(Number(got)).toBeLessThan(longList.length / 4);
  });

  it("survive odd fields", async () => {
    for (const field of ["gzip;q=1;q=0", ";;;", "gzip\tbr", "*;*", '"gzip"', "a".repeat(3_000), "gzip,".repeat(300)]) {
      const { status, closed: over } = await raw(closed.port, `GET /list HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${field}\r\n\r\n`, 100);
      expect([status, over], field).toEqual([200, false]);
    }
  });
});

describe("a slash behind the path", () => {
  it.each([
    ["/json/", 200, '{"a":1}'],
    ["/json/?x=1", 200, '{"a":1}'],
    ["/one/7/", 200, '{"id":"7"}'],
    ["/one/json/", 200, '{"id":"json"}'],
  ])("%s is the same path", async (path, status, body) => {
    const answer = await fetch(at(closed, path));
    expect([answer.status, await answer.text()]).toEqual([status, body]);
  });

  it.each(["/json//", "//json", "/one//", "/one/", "/exact/7/"])("%s is none", async (path) => {
    expect((await fetch(at(closed, path))).status).toBe(404);
  });
});

describe("origins", () => {
  const origin = (answer: Response): (string | null)[] => ["access-control-allow-origin", "vary"].map((name) => answer.headers.get(name));

  it.each([...Object.keys(kinds), "/refused", "/warm", "/nothing"])("every answer says who may read it: %s", async (path) => {
    expect(origin(await fetch(at(open, path), { headers: { origin: page } }))).toEqual([page, "Origin"]);
    expect(origin(await fetch(at(open, path), { headers: { origin: "https://evil.example" } }))).toEqual([null, "Origin"]);
    expect(origin(await fetch(at(open, path)))).toEqual([null, "Origin"]);
    expect(origin(await fetch(at(closed, path), { headers: { origin: page } }))).toEqual([null, null]);
  });

  it("also the one that ends its connection", async () => {
    const { text } = await raw(open.port, `GET /json HTTP/1.1\r\nHost: x\r\nHost: y\r\nOrigin: ${page}\r\n\r\n`, 500);
    expect(text).toMatch(/^HTTP\/1\.1 400/);
    expect(text).toContain(`Access-Control-Allow-Origin: ${page}\r\n`);
  });

  it("a browser's question before its request", async () => {
    const question = { "access-control-request-method": "PUT", "access-control-request-headers": "content-type,session-id" };
    const answer = await fetch(at(open, "/json"), { method: "OPTIONS", headers: { ...question, origin: page } });
    expect([answer.status, ...origin(answer), answer.headers.get("access-control-allow-methods")]).toEqual([
      204,
      page,
      "Origin",
      "GET, HEAD, PUT",
    ]);
    expect(answer.headers.get("access-control-allow-headers")).toContain("session-id");
    const strange = await fetch(at(open, "/json"), { method: "OPTIONS", headers: { ...question, origin: "https://evil.example" } });
    expect([strange.status, strange.headers.get("access-control-allow-methods")]).toEqual([204, null]);
  });

  it("survives 500 odd ones, and lets none of them read", async () => {
    const letters = `${page}\t ,:/.*\u0001"'%`;
    // Some requests of each hundred get no response, and each of those takes a second to detect.
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const text = Array.from(
            { length: 1 + Math.floor(Math.random() * 40) },
            () => letters[Math.floor(Math.random() * letters.length)],
          );
          const line = `Origin: ${text.join("")}`;
          const answer = await raw(open.port, `GET /json HTTP/1.1\r\nHost: x\r\n${line}\r\nConnection: close\r\n\r\n`, 100, 1_000);
          expect(answer.text.toLowerCase(), line).not.toContain("access-control-allow-origin");
        }),
      );
    }
  });
});
