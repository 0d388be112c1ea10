import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forAnybody } from "../../../../router/endpoint/caller-handler.js";
import { catching } from "../../../../router/endpoint/serve.js";
import { readJson } from "../../../../router/endpoint/json-body.js";
import type { HttpApp } from "../../../../router/http/app.js";
import { json } from "../../../../router/http/response.js";
import { anApp, openSocket, pause, raw, RecordedMetrics, plainCatch, until } from "../support.js";

let app: HttpApp;
beforeAll(async () => {
  app = anApp(new RecordedMetrics());
  app.route("GET", "/ok", () => Promise.resolve(json(200, '"ok"')), { name: "ok", deadlineMs: 5_000 });
  app.route("GET", "/slow", async () => (await pause(50), json(200, '"slow"')), { name: "slow", deadlineMs: 5_000 });
  app.route(
    "POST",
    "/json",
    catching(
      forAnybody(async (request) => json(200, JSON.stringify(await readJson(request)))),
      "json",
      plainCatch,
    ),
    { name: "json", deadlineMs: 5_000 },
  );
  await app.listen();
});
afterAll(async () => {
  await app.stop(0);
});

const post = (headers: string, body: string | Buffer): (string | Buffer)[] => [
  `POST /json HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`,
  body,
];

describe("malformed requests", () => {
  it.each<[string, string | Buffer | (string | Buffer)[]]>([
    ["garbage", "\u0000\u0001garbage\r\n\r\n"],
    ["no Host", "GET /ok HTTP/1.1\r\nAccept: x\r\n\r\n"],
    ["two Hosts", "GET /ok HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"],
    ["length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n")],
    ["two lengths", post("Content-Length: 5\r\nContent-Length: 6", "hello!")],
    ["negative length", post("Content-Length: -5", "hello")],
    ["length that is no number", post("Content-Length: five", "hello")],
    ["bad chunk", post("Transfer-Encoding: chunked", "zz\r\nhello\r\n0\r\n\r\n")],
    ["NUL in the path", "GET /o\u0000k HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["8-bit path", Buffer.from([...Buffer.from("GET /"), 0xff, 0xfe, ...Buffer.from(" HTTP/1.1\r\nHost: x\r\n\r\n")])],
    ["encoded dots", "GET /%2e%2e/ok HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["broken encoding", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["20 KiB of headers", `GET /ok HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`],
    ["150 headers", `GET /ok HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 150 }, (_, index) => `h${index}: 1\r\n`).join("")}\r\n`],
    ["HTTP/1.0", "GET /ok HTTP/1.0\r\nHost: x\r\n\r\n"],
    ["an absolute address", "GET http://x/ok HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["space before the colon", "GET /ok HTTP/1.1\r\nHost : x\r\n\r\n"],
    ["folded header", "GET /ok HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n"],
    ["TRACE", "TRACE /ok HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("%s: 4xx, 505 or a closed connection, and the server lives", async (_, bytes) => {
    const { status, text } = await raw(app.port, bytes, 150, 1_000);
    // Without a response, the engine waits for more or has closed the connection.
    if (text !== "") expect((status >= 400 && status < 500) || status === 505, text).toBe(true);
    expect((await raw(app.port, "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n", 50)).status).toBe(200);
  });

  // A proxy and this server could disagree about the end of the body, so nothing after such a request may be served.
  const behind = "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n";
  const chunks = "5\r\nhello\r\n0\r\n\r\n";
  describe.each<[string, string]>([
    ["alone", ""],
    ["with a request behind it", behind],
    ["with three requests behind it", behind.repeat(3)],
  ])("a request without a certain end, %s: 400, and the connection closes", (_, more) => {
    it.each<[string, string]>([
      ["two hosts", "GET /ok HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"],
      ...["a b", "x/y", "x@y", "x?y", "x#y", "x\\y", '"x"', "<x>"].map((host): [string, string] => [
        `the host ${host}`,
        `GET /ok HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ]),
      ["two hosts, unknown path", "GET /nowhere HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"],
      ["two lengths", "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"],
      ["two equal lengths", "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"],
      ["two lengths, unknown path", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 0\r\n\r\nhello"],
      ["a list of lengths", "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\nhello"],
      ["a length with a sign", "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello"],
      ["an empty length", "POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n"],
      ["a length and chunks", `POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
      ["chunks twice", `POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
      ...["gzip, chunked", "chunked, identity", "identity", "xchunked", "Chunked", "chunked;q=1", '"chunked"', ""].map(
        (coding): [string, string] => [
          `transfer-encoding ${JSON.stringify(coding)}`,
          `POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n${chunks}`,
        ],
      ),
    ])("%s", async (_name, request) => {
      const { text, closed } = await raw(app.port, request + more, 1_000);
      expect([text.match(/HTTP\/1\.1 \d+/g), /^connection: close$/im.test(text), closed]).toEqual([["HTTP/1.1 400"], true, true]);
    });
  });

  it("says in the usual shape what is wrong with such a request", async () => {
    const { body } = await raw(app.port, "GET /ok HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n");
    expect(JSON.parse(body)).toEqual({ statusCode: 400, message: "invalid host, content-length or transfer-encoding header" });
  });

  // Proxies add such headers, for example the city of the caller.
  it.each<[string, BufferEncoding]>([
    ["CF-IPCity: S\u00e3o Paulo", "utf8"],
    ["CF-IPCity: S\u00e3o Paulo", "latin1"],
    ["User-Agent: \u5fae\u4fe1", "utf8"],
  ])("ignores what is not ASCII in a header that it does not read: %s in %s", async (header, encoding) => {
    const { status, body } = await raw(app.port, Buffer.from(`GET /ok HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`, encoding));
    expect([status, body]).toEqual([200, '"ok"']);
  });

  it.each(["x", "x:8080", "gateway.example.com", "[::1]:8080", "10.0.0.1", "a_b", "xn--bcher-kva.example", ""])(
    "takes the host %j, and names of headers in any letters",
    async (host) => {
      const { status, body } = await raw(app.port, `GET /ok HTTP/1.1\r\nHOST: ${host}\r\n\r\n`);
      expect([status, body]).toEqual([200, '"ok"']);
    },
  );

  describe.each(["100-continue", "100-Continue", "100-CONTINUE"])("a client that expects %s", (expectation) => {
    const json = `Content-Type: application/json\r\nExpect: ${expectation}`;
    const continued = "HTTP/1.1 100 Continue\r\n\r\n";

    it.each<[string, string, string, string]>([
      ["a length", "POST /json", "Content-Length: 2", "{}"],
      ["chunks", "POST /json", "Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"],
    ])("gets it before it sends a body with %s", async (_, line, framing, body) => {
      const socket = await openSocket(app.port);
      let text = "";
      socket.on("data", (data: Buffer) => (text += data.toString()));
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${json}\r\n${framing}\r\n\r\n`);
      await until(() => text !== "");
      expect(text).toBe(continued);
      socket.write(body);
      await until(() => text.endsWith("{}"));
      expect(text.slice(continued.length)).toMatch(/^HTTP\/1\.1 200 OK\r\n([\w-]+: [^\r\n]*\r\n)+\r\n\{\}$/);
      socket.destroy();
    });

    it.each([
      ["POST /json", "400 Bad Request", false],
      // Such an error waits for no body, and the client may send none.
      ["POST /nothing", "404 Not Found", true],
      ["PUT /json", "405 Method Not Allowed", true],
    ])("gets it before an error: %s, %s, and the connection closes: %s", async (line, status, closes) => {
      const head = `${line} HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 1\r\n\r\n`;
      const { text, closed } = await raw(app.port, closes ? head : `${head}{`, 1_000);
      expect(text.startsWith(`${continued}HTTP/1.1 ${status}\r\n`)).toBe(true);
      expect([closed, /^connection: close$/im.test(text)]).toEqual([closes, closes]);
    });
  });

  it("serves a client that pipelines its next request", async () => {
    const one = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";
    // The engine closes such a connection and both responses are lost. The README warns clients (router/README.md, "The HTTP engine").
    expect(await raw(app.port, one + one, 150)).toMatchObject({ text: "", closed: true });
    expect((await raw(app.port, "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n", 50)).status).toBe(200);
  });

  it("survives 2,000 mutations of a good request", async () => {
    const good = Buffer.from('POST /json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":"b"}');
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const bytes = Buffer.from(good);
          for (let change = 0; change < 3; change++) bytes[Math.floor(Math.random() * bytes.length)] = Math.floor(Math.random() * 256);
          const socket = await openSocket(app.port);
          socket.end(bytes);
          await new Promise((resolve) =>
            socket
              .once("data", resolve)
              .once("close", resolve)
              .setTimeout(30, () => resolve(undefined)),
          );
          socket.destroy();
        }),
      );
    }
    expect((await raw(app.port, "GET /ok HTTP/1.1\r\nHost: x\r\n\r\n", 50)).status).toBe(200);
  });
});

describe("JSON bodies that are no ordinary ones", () => {
  const send = async (body: string | Buffer, type = "application/json"): Promise<[number, unknown]> => {
    const answer = await fetch(`http://127.0.0.1:${app.port}/json`, { method: "POST", body, headers: { "Content-Type": type } });
    return [answer.status, await answer.json()];
  };
  const refused = (message: string): [number, unknown] => [400, { statusCode: 400, message }];
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it.each<[string, string | Buffer, unknown]>([
    ["an object", '{"a":[1,"]}[{"]}', { a: [1, "]}[{"] }],
    ["nothing", "", {}],
    ["a byte order mark", Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), {}],
    ["32 levels", `{"a":${nested(31)}}`, { a: JSON.parse(nested(31)) }],
    ["an escaped quote before brackets", `{"a":"\\"${"[".repeat(40)}"}`, { a: `"${"[".repeat(40)}` }],
    ["whole emoji as escapes", '{"a":"\\ud83d\\udc4b","b":["\\uD83D\\uDC4B"]}', { a: "👋", b: ["👋"] }],
    [
      "half an emoji, which has no UTF-8, as the replacement character",
      '{"a":"x\\ud83d","b":["\\udc4by"],"__proto__":{"c":"\\ud83d"}}',
      JSON.parse('{"a":"x\ufffd","b":["\ufffdy"],"__proto__":{"c":"\ufffd"}}'),
    ],
    ["an escaped backslash before a ud", '{"a":"\\\\ud83d"}', { a: "\\ud83d" }],
  ])("accepts %s", async (_, body, value) => {
    expect(await send(body)).toEqual([200, value]);
  });

  it.each<[string, string | Buffer, string]>([
    ["half an object", '{"a":', "body must be valid JSON"],
    ["a trailing comma", '{"a":1,}', "body must be valid JSON"],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22]), "body must be valid JSON"],
    ["a gzip stream", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), "body must be valid JSON"],
    ["an array", "[]", "body must be an object"],
    ["33 levels", `{"a":${nested(32)}}`, "body must not be nested deeper than 32 levels"],
    ["10,000 levels", nested(10_000), "body must not be nested deeper than 32 levels"],
    ["30,000 levels of objects", '{"a":'.repeat(10_000), "body must not be nested deeper than 32 levels"],
  ])("refuses %s", async (_, body, message) => {
    expect(await send(body)).toEqual(refused(message));
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""])(
    "refuses the type %s",
    async (type) => {
      expect(await send("{}", type)).toEqual(refused("content-type must be application/json"));
    },
  );

  it.each(["gzip", "br", "deflate, gzip", "x"])("refuses the coding %s, and says what is wrong with it", async (coding) => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": coding };
    const answer = await fetch(`http://127.0.0.1:${app.port}/json`, { method: "POST", body: gzipSync("{}"), headers });
    expect([answer.status, await answer.json()]).toEqual(refused("content-encoding must be identity"));
  });

  it.each(["identity", "Identity", ""])("accepts the coding '%s', which is none", async (coding) => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": coding };
    expect((await fetch(`http://127.0.0.1:${app.port}/json`, { method: "POST", body: "{}", headers })).status).toBe(200);
  });

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON"])("accepts the type %s", async (type) => {
    expect(await send("{}", type)).toEqual([200, {}]);
  });

  it("keeps __proto__ an ordinary key", async () => {
    const [status] = await send('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(status).toBe(200);
    expect("polluted" in {}).toBe(false);
  });
});
