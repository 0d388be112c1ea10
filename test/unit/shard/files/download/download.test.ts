import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BlockedReason } from "../../../../../shard/files/download/address-guard.js";
import { Downloader, type DownloadOptions } from "../../../../../shard/files/download/download.js";
import type { QuotaPort } from "../../../../../shard/tenant/session-quota.js";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const megabyte = Buffer.alloc(1024 * 1024, "x");
let folder: string;
let server: Server;
let port: number;
let connections = 0;
const routes = new Map<string, Handler>();
const seen: IncomingMessage[] = [];
const started: Downloader[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    (routes.get(request.url ?? "") ?? ((_request, reply) => reply.writeHead(404, "You Chose This <b>").end("no")))(request, response);
  });
  server.on("connection", () => connections++);
  port = await listen(server);
});
afterAll(() => close(server));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "download-test-"));
  connections = 0;
  seen.length = 0;
  routes.clear();
});
afterEach(async () => {
  for (const downloader of started.splice(0)) await downloader.stop();
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

async function listen(target: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): AddressInfo | string | null;
}): Promise<number> {
  await new Promise<void>((resolve) => void target.listen(0, "127.0.0.1", resolve));
  const address = target.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function close(target: Server | ReturnType<typeof createTlsServer>): Promise<void> {
  target.closeAllConnections();
  return new Promise((resolve) => void target.close(() => resolve()));
}

async function aDownloader(options: Partial<DownloadOptions> = {}): Promise<Downloader> {
  const downloader = new Downloader({ folder, allow: [`127.0.0.1:${port}`], ...options });
  started.push(downloader);
  await downloader.start();
  return downloader;
}

const request = (maxBytes = 10 * megabyte.length, key = "s1"): { key: string; maxBytes: number; signal: AbortSignal } => ({
  key,
  maxBytes,
  signal: new AbortController().signal,
});
const local = (path: string): string => `http://127.0.0.1:${port}${path}`;
const filesLeft = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).filter((name) => name.includes("/"));

describe("a download", () => {
  it("stores the file for this user alone, reads any part of it and leaves nothing behind", async () => {
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    routes.set("/file", (_request, response) => response.writeHead(200, { "content-type": "Image/JPEG; charset=x" }).end(body));
    const file = await (await aDownloader()).download(local("/file"), request());
    expect([file.size, file.contentType]).toEqual([body.length, "image/jpeg"]);
    expect(await readFile(file.path)).toEqual(body);
    expect((await file.read(100_000, 5_000)).equals(body.subarray(100_000, 105_000))).toBe(true);
    expect((await file.read(299_990, 5_000)).equals(body.subarray(299_990))).toBe(true);
    expect(await file.read(400_000, 10)).toHaveLength(0);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file.path))).mode & 0o777).toBe(0o700);
    await Promise.all([file.dispose(), file.dispose()]);
    expect(await filesLeft()).toEqual([]);
  });

  it("sends no cookies or authorization and requests plain bytes, whatever proxy the environment names", async () => {
    process.env["http_proxy"] = "http://127.0.0.1:1";
    routes.set("/file", (_request, response) => response.end("x"));
    const file = await (await aDownloader()).download(local("/file"), request());
    delete process.env["http_proxy"];
    const headers = seen[0]?.headers ?? {};
    expect(headers["accept-encoding"]).toBe("identity");
    expect(headers["user-agent"]).toContain("Trunkline");
    expect([headers.cookie, headers.authorization, headers.referer]).toEqual([undefined, undefined, undefined]);
    await file.dispose();
  });

  it("holds a large file on disk and not in memory", async () => {
    const size = 200 * megabyte.length;
    routes.set("/large", (_request, response) => {
      response.writeHead(200, { "content-length": size });
      let left = 200;
      const more = (): void => void (left-- > 0 ? response.write(megabyte, more) : response.end());
      more();
    });
    const before = process.memoryUsage().rss;
    const file = await (await aDownloader()).download(local("/large"), request(size));
    expect(file.size).toBe(size);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * megabyte.length);
    await file.dispose();
  });

  it.each<[codings: string | string[], body: Buffer]>([
    ["identity", Buffer.from("hello")],
    ["identity, , Identity", Buffer.from("hello")],
    ["gzip, identity", gzipSync("hello")],
    ["identity,X-GZIP", gzipSync("hello")],
    [["GZip", "identity"], gzipSync("hello")],
    ["identity, deflate", deflateSync("hello")],
    ["BR", brotliCompressSync("hello")],
  ])("reads what is coded as %j", async (codings, body) => {
    routes.set("/file", (_request, response) => response.setHeader("content-encoding", codings).end(body));
    const file = await (await aDownloader()).download(local("/file"), request());
    expect((await file.read(0, 100)).toString()).toBe("hello");
    await file.dispose();
  });

  it("reads a compressed response and counts the decompressed bytes", async () => {
    routes.set("/gzip", (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("hello")));
    routes.set("/br", (_request, response) => response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("hello")));
    routes.set("/bomb", (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(64 * megabyte.length))),
    );
    routes.set("/odd", (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(gzipSync(gzipSync("hello"))),
    );
    routes.set("/lie", (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("hello"));
    const downloader = await aDownloader();
    for (const path of ["/gzip", "/br"]) {
      const file = await downloader.download(local(path), request());
      expect((await file.read(0, 100)).toString()).toBe("hello");
      await file.dispose();
    }
    await expect(downloader.download(local("/bomb"), request())).rejects.toMatchObject({ detail: "too large" });
    await expect(downloader.download(local("/odd"), request())).rejects.toMatchObject({ detail: "connection failed" });
    await expect(downloader.download(local("/lie"), request())).rejects.toMatchObject({ detail: "connection failed" });
    expect(await filesLeft()).toEqual([]);
  });
});

describe("a server that misbehaves", () => {
  const cases: [name: string, handler: Handler, detail: string][] = [
    ["404 with its own words", (_request, response) => response.writeHead(404, "Internal 10.0.0.7").end("x"), "404 Not Found"],
    ["500", (_request, response) => response.writeHead(500).end("secret"), "500 Internal Server Error"],
    ["an unknown status", (_request, response) => response.writeHead(799).end(), "799 Unknown"],
    ["no content", (_request, response) => response.writeHead(204).end(), "204 No Content"],
    ["a redirect to nowhere", (_request, response) => response.writeHead(302).end(), "302 Found"],
    ["an empty file", (_request, response) => response.end(), "empty file"],
    ["silence before the head", () => undefined, "timeout"],
    ["a closed connection before the head", (request) => request.socket.destroy(), "connection failed"],
    ["silence after the head", (_request, response) => void response.writeHead(200).write("x"), "timeout"],
    [
      "a length beyond the limit",
      (_request, response) => void response.writeHead(200, { "content-length": 2 ** 40 }).write("x"),
      "too large",
    ],
    [
      "fewer bytes than announced",
      (_request, response) => void response.writeHead(200, { "content-length": 100 }).write("x", () => response.destroy()),
      "connection failed",
    ],
    ["not HTTP", (request) => request.socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "connection failed"],
    ["a giant head", (_request, response) => response.writeHead(200, { "x-pad": "a".repeat(100_000) }).end("x"), "connection failed"],
    ["itself, for ever", (_request, response) => response.writeHead(302, { location: "/case" }).end(), "too many redirects"],
  ];
  it.each(cases)("%s", async (_name, handler, detail) => {
    routes.set("/case", handler);
    // The time-out is short only in the case that needs it.
    const downloader = await aDownloader(detail === "timeout" ? { firstByteMs: 300, pace: { bytes: 1000, windowMs: 300 } } : {});
    await expect(downloader.download(local("/case"), request())).rejects.toMatchObject({ name: "DownloadError", detail });
    expect(await filesLeft()).toEqual([]);
  });

  it("drips: is too slow for the pace", async () => {
    routes.set("/drip", (_request, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const downloader = await aDownloader({ pace: { bytes: 1000, windowMs: 300 } });
    await expect(downloader.download(local("/drip"), request())).rejects.toMatchObject({ detail: "timeout" });
  });

  it("is endless: stops at the limit, or at the time for everything", async () => {
    routes.set("/endless", (_request, response) => {
      const more = (): void => void (response.destroyed || response.write(megabyte, () => setTimeout(more, 5)));
      more();
    });
    await expect((await aDownloader()).download(local("/endless"), request(3 * megabyte.length))).rejects.toMatchObject({
      detail: "too large",
    });
    await expect((await aDownloader({ totalMs: 300 })).download(local("/endless"), request(2 ** 40))).rejects.toMatchObject({
      detail: "timeout",
    });
    expect(await filesLeft()).toEqual([]);
  });

  it("refuses the connection, has no name, or has an untrusted certificate", async () => {
    const closed = createTcpServer();
    const closedPort = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const keys = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", "-", "-out", "-"];
    const pem = execFileSync("openssl", keys, { stdio: ["ignore", "pipe", "ignore"] }).toString();
    const secure = createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end("x"));
    const securePort = await listen(secure);
    const downloader = await aDownloader({ allow: [`127.0.0.1:${closedPort}`, `127.0.0.1:${securePort}`] });
    await expect(downloader.download(`http://127.0.0.1:${closedPort}/`, request())).rejects.toMatchObject({ detail: "connection failed" });
    await expect(downloader.download(`https://127.0.0.1:${securePort}/`, request())).rejects.toMatchObject({ detail: "tls" });
    await expect(downloader.download("http://no-such-name.invalid/", request())).rejects.toMatchObject({ detail: "dns" });
    const mute = await aDownloader({ connectMs: 300, resolve: () => new Promise(() => undefined) });
    await expect(mute.download("http://example.com/", request())).rejects.toMatchObject({ detail: "timeout" });
    await close(secure);
  });
});

describe("bounds", () => {
  it("runs four at once for one session while another session passes, and refuses what no longer fits the line", async () => {
    const waiting: ServerResponse[] = [];
    routes.set("/slow", (_request, response) => void waiting.push(response));
    const downloader = await aDownloader({ limitPerKey: 4, maxWaiting: 2 });
    const first = Array.from({ length: 6 }, () => downloader.download(local("/slow"), request(10, "a")));
    await expect.poll(() => waiting.length).toBe(4);
    await expect(downloader.download(local("/slow"), request(10, "a"))).rejects.toMatchObject({ detail: "too many downloads" });
    const other = downloader.download(local("/slow"), request(10, "b"));
    await expect.poll(() => waiting.length).toBe(5);
    expect(downloader.pending).toBe(7);
    for (const response of waiting.splice(0)) response.end("x");
    await expect.poll(() => waiting.length).toBe(2);
    for (const response of waiting.splice(0)) response.end("x");
    for (const file of await Promise.all([...first, other])) await file.dispose();
    expect(downloader.pending).toBe(0);
  });

  it("waits for a place of its tenant's quota, before it takes a turn that others need, and says how many wait", async () => {
    const waiting: ServerResponse[] = [];
    routes.set("/slow", (_request, response) => void waiting.push(response));
    let places = 2;
    const line: (() => void)[] = [];
    const release = (): void => {
      places += 1;
      line.shift()?.();
    };
    const quota: QuotaPort = {
      enter: async (_session, { signal }) => {
        if (places === 0)
          await new Promise<void>((resolve, reject) => {
            line.push(resolve);
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          });
        places -= 1;
        return release;
      },
    };
    const downloader = await aDownloader({ quota, limit: 3, limitPerKey: 3, maxWaiting: 3 });
    const begin = (count: number) => Array.from({ length: count }, () => downloader.download(local("/slow"), request()));
    const files = begin(2);
    await expect.poll(() => waiting.length).toBe(2);
    files.push(...begin(3));
    await expect(downloader.download(local("/slow"), request())).rejects.toMatchObject({ detail: "too many downloads" });
    expect(downloader.pending).toBe(5);
    for (let done = 0; done < 5; done++) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      expect(waiting.length).toBeLessThanOrEqual(2);
      waiting.shift()?.end("x");
    }
    for (const file of await Promise.all(files)) await file.dispose();
    expect([downloader.pending, places]).toEqual([0, 2]);
  });

  it("refuses more bytes than the disk may hold until files are disposed of", async () => {
    routes.set("/file", (_request, response) => response.end(megabyte));
    const downloader = await aDownloader({ maxStoredBytes: 1.5 * megabyte.length });
    const file = await downloader.download(local("/file"), request());
    await expect(downloader.download(local("/file"), request())).rejects.toMatchObject({ detail: "too many downloads" });
    await file.dispose();
    await (await downloader.download(local("/file"), request())).dispose();
  });

  it("ends with the caller's reason when the caller aborts, waiting or midway, and closes the connection", async () => {
    let closed = 0;
    routes.set("/hang", (_request, response) => {
      response.writeHead(200).write(megabyte);
      response.on("close", () => closed++);
    });
    const downloader = await aDownloader({ limit: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = downloader.download(local("/hang"), { ...request(), signal: first.signal });
    const waiting = downloader.download(local("/hang"), { ...request(), signal: second.signal });
    await expect.poll(() => seen.length).toBe(1);
    // One file is being written, and the other waits.
    await expect.poll(async () => [(await filesLeft()).length, downloader.pending]).toEqual([1, 2]);
    second.abort(new Error("client gone"));
    await expect(waiting).rejects.toThrow("client gone");
    first.abort(new Error("client gone too"));
    await expect(running).rejects.toThrow("client gone too");
    await expect.poll(() => closed).toBe(1);
    expect(await filesLeft()).toEqual([]);
    expect(downloader.pending).toBe(0);
  });

  it("ends all when it stops, and counts outcomes from a closed set", async () => {
    const outcomes: string[] = [];
    routes.set("/hang", () => undefined);
    routes.set("/file", (_request, response) => response.end("x"));
    const downloader = await aDownloader({ onFinished: (outcome) => outcomes.push(outcome) });
    await (await downloader.download(local("/file"), request())).dispose();
    await expect(downloader.download(local("/none"), request())).rejects.toThrow("404 Not Found");
    const hanging = downloader.download(local("/hang"), request());
    hanging.catch(() => undefined);
    await downloader.stop();
    await expect(hanging).rejects.toMatchObject({ detail: "connection failed" });
    expect(outcomes).toEqual(["ok", "status", "connection failed"]);
  });
});

describe("server-side request forgery", () => {
  /** Addresses of every private range, in every spelling that a URL parser accepts. */
  const literals = [
    ...[
      "127.0.0.1",
      "127.1.2.3",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "198.18.0.1",
      "192.0.0.8",
      "192.0.2.1",
    ],
    ...["198.51.100.1", "203.0.113.1", "192.88.99.1", "0.0.0.0", "255.255.255.255", "224.0.0.1", "240.0.0.1"],
    ...[
      "[::]",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:10.0.0.1]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b:1::7f00:1]",
      "[2002:7f00:1::]",
    ],
    ...[
      "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
      "[fe80::1]",
      "[fec0::1]",
      "[fd00:ec2::254]",
      "[fc00::1]",
      "[ff02::1]",
      "[2001:db8::1]",
      "[100::1]",
    ],
    ...["[::ffff:0:7f00:1]", "[5f00::1]", "[3fff::1]", "[2001:20::1]"],
    ...[
      "0x7f.1",
      "0x7f000001",
      "2130706433",
      "0177.0.0.1",
      "017700000001",
      "127.1",
      "127.0.1",
      "127.0.0.1.",
      "0",
      "0x0",
      "①②⑦.0.0.1",
      "１２７.0.0.1",
      "127。0。0。1",
    ],
    ...["[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:1]", "%31%32%37.0.0.1", "2852039166", "0xa9fea9fe"],
  ];
  const names = literals
    .map((host) => host.replace(/^\[(.*)\]$/, "$1"))
    .filter((host) => /^[0-9.]{7,}$|:/.test(host) && !host.endsWith("."));

  it("reaches no private address by a literal, in any spelling, first or after a redirect", async () => {
    const blocked: BlockedReason[] = [];
    // The guard allows the listener's port, so only the address check protects the listener.
    const guarded = await aDownloader({ allow: [], ports: [port], onBlocked: (reason) => blocked.push(reason) });
    for (const host of literals) {
      await expect(guarded.download(`http://${host}:${port}/x`, request()), host).rejects.toMatchObject({ detail: "blocked address" });
    }
    expect(connections).toBe(0);
    expect(blocked).toEqual(literals.map(() => "literal"));

    const redirected = await aDownloader({ ports: [port], allow: [`localhost:${port}`] });
    for (const host of literals) {
      const location = `http://${host.replace(/[^ -~]/gu, encodeURIComponent)}:${port}/x`;
      routes.set("/go", (_request, response) => response.writeHead(302, { location }).end());
      await expect(redirected.download(`http://localhost:${port}/go`, request()), host).rejects.toMatchObject({
        detail: "blocked address",
      });
    }
    expect(seen.filter(({ url }) => url !== "/go")).toEqual([]);
  });

  it("reaches no private address by a name: alone, among public ones, or in the second DNS response", async () => {
    for (const address of names) {
      const family = address.includes(":") ? 6 : 4;
      const alone = await aDownloader({ allow: [], ports: [port], resolve: () => Promise.resolve([{ address, family }]) });
      await expect(alone.download(`http://rebind.example:${port}/x`, request()), address).rejects.toMatchObject({
        detail: "blocked address",
      });
      const mixed = await aDownloader({
        allow: [],
        ports: [port],
        resolve: () =>
          Promise.resolve([
            { address: "8.8.8.8", family: 4 },
            { address, family },
          ]),
      });
      await expect(mixed.download(`http://rebind.example:${port}/x`, request()), address).rejects.toMatchObject({
        detail: "blocked address",
      });
    }
    const garbage = await aDownloader({ allow: [], ports: [port], resolve: () => Promise.resolve([{ address: "localhost", family: 4 }]) });
    await expect(garbage.download(`http://rebind.example:${port}/x`, request())).rejects.toMatchObject({ detail: "blocked address" });
    const silent = await aDownloader({ allow: [], ports: [port], resolve: () => Promise.resolve([]) });
    await expect(silent.download(`http://rebind.example:${port}/x`, request())).rejects.toMatchObject({ detail: "dns" });
    expect(connections).toBe(0);
  });

  it("resolves a name once per hop and connects to that address, which defeats DNS rebinding", async () => {
    let requests = 0;
    const resolve = (): Promise<{ address: string; family: number }[]> =>
      Promise.resolve([{ address: requests++ === 0 ? "192.0.2.1" : "127.0.0.1", family: 4 }]);
    const first = await aDownloader({ allow: [], ports: [port], resolve });
    await expect(first.download(`http://rebind.example:${port}/x`, request())).rejects.toMatchObject({ detail: "blocked address" });
    expect([requests, connections]).toEqual([1, 0]);

    // With the name allowed, the only connection goes to the address of the only lookup.
    routes.set("/x", (_request, response) => response.end("x"));
    requests = 1;
    const allowed = await aDownloader({ allow: [`rebind.example:${port}`], resolve });
    await (await allowed.download(`http://rebind.example:${port}/x`, request())).dispose();
    expect([requests, connections]).toEqual([2, 1]);
  });

  it.each<[string, string, BlockedReason | undefined]>([
    ["ftp://example.com/x", "invalid url", "scheme"],
    ["file:///etc/passwd", "invalid url", "scheme"],
    ["data:text/plain,x", "invalid url", "scheme"],
    ["http://user:pass@example.com/", "invalid url", "userinfo"],
    ["http://8.8.8.8@127.0.0.1/", "invalid url", "userinfo"],
    ["http://example.com:22/", "blocked port", "port"],
    ["http://example.com:6379/", "blocked port", "port"],
    [`http://${"a".repeat(254)}/`, "invalid url", "host"],
    [`http://example.com/${"a".repeat(3000)}`, "invalid url", undefined],
    ["", "invalid url", undefined],
    ["/etc/passwd", "invalid url", undefined],
    ["http://", "invalid url", undefined],
    ["http://[::1", "invalid url", undefined],
  ])("refuses %s", async (url, detail, reason) => {
    const blocked: BlockedReason[] = [];
    const downloader = await aDownloader({ onBlocked: (why) => blocked.push(why) });
    await expect(downloader.download(url, request())).rejects.toMatchObject({ detail });
    expect(blocked).toEqual(reason === undefined ? [] : [reason]);
  });

  it.each<[string, string]>([
    ["photo.jpg", "invalid url: it does not begin with http:// or https://"],
    ["//example.com/photo.jpg", "invalid url: it does not begin with http:// or https://"],
    ["ftp://example.com/x", "invalid url: its scheme is neither http nor https"],
    ["data:image/png;base64,AA", "invalid url: its scheme is neither http nor https"],
    ["http://user:pass@example.com/", "invalid url: it holds a user name or password"],
    ["http://[::1", "invalid url: it cannot be read"],
    [`http://example.com/${"a".repeat(3000)}`, "invalid url: it is longer than 2048 bytes"],
    ["http://example.com:22/", "blocked port: 22 is not one of 80, 443, 8080, 8443, 9000"],
    ["http://10.0.0.1:9000/", "blocked address: it is not public"],
  ])("names the cause for %s", async (url, sentence) => {
    await expect((await aDownloader({ furtherPorts: [9_000] })).download(url, request())).rejects.toMatchObject({ sentence });
  });

  it("names the cause of what a server or the network does", async () => {
    routes.set("/large", (_request, response) => response.end(megabyte));
    routes.set("/silent", () => undefined);
    routes.set("/odd", (_request, response) => response.writeHead(200, { "content-encoding": "zstd" }).end("x"));
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    const downloader = await aDownloader({ firstByteMs: 200, resolve });
    const sentenceOf = (url: string, maxBytes = 1_000): Promise<string> =>
      downloader.download(url, request(maxBytes)).then(
        () => "none",
        (error: unknown) => (error as { sentence: string }).sentence,
      );
    expect(await sentenceOf(local("/large"))).toBe("too large: at most 1000 bytes");
    expect(await sentenceOf(local("/silent"))).toBe("timeout: no response within 0.2 s");
    expect(await sentenceOf(local("/odd"))).toBe("connection failed: the server compresses the file in a way that cannot be read");
    expect(await sentenceOf("http://gone.example/")).toBe("dns: the host name does not exist");
  });

  it("reaches public hosts on the further ports of the configuration", async () => {
    const resolve = (): Promise<{ address: string; family: number }[]> => Promise.resolve([{ address: "10.0.0.1", family: 4 }]);
    const downloader = await aDownloader({ furtherPorts: [9_000], resolve });
    await expect(downloader.download("http://minio.example:9000/x", request())).rejects.toMatchObject({ detail: "blocked address" });
    await expect(downloader.download("http://minio.example:9001/x", request())).rejects.toMatchObject({ detail: "blocked port" });
  });

  it.each(["UTF-8", "utf8", "aws-chunked", "none", "identity", "aws-chunked,identity", "binary"])(
    "reads a body whose content-encoding is %s as it is",
    async (coding) => {
      routes.set("/file", (_request, response) => response.writeHead(200, { "content-encoding": coding }).end("plain"));
      const file = await (await aDownloader()).download(local("/file"), request());
      expect((await file.read(0, 10)).toString()).toBe("plain");
      await file.dispose();
    },
  );

  it("follows a location of raw UTF-8", async () => {
    const path = "/отпуск/фото.jpg";
    routes.set("/go", (_request, response) => response.socket?.end(`HTTP/1.1 302 Found\r\nLocation: ${path}\r\nContent-Length: 0\r\n\r\n`));
    routes.set(encodeURI(path), (_request, response) => response.end("found"));
    const file = await (await aDownloader()).download(local("/go"), request());
    expect((await file.read(0, 10)).toString()).toBe("found");
    await file.dispose();
  });

  it("follows three redirects and no fourth, checks each, and goes from https to http never", async () => {
    for (const [from, to] of [
      ["/1", "/2"],
      ["/2", "/3"],
      ["/3", local("/4")],
      ["/0", "/1"],
    ] as const) {
      routes.set(from, (_request, response) => response.writeHead(307, { location: to }).end("moved"));
    }
    routes.set("/4", (_request, response) => response.end("done"));
    routes.set("/out", (_request, response) => response.writeHead(301, { location: "gopher://example.com/" }).end());
    const downloader = await aDownloader();
    const file = await downloader.download(local("/1"), request());
    expect((await file.read(0, 10)).toString()).toBe("done");
    await file.dispose();
    await expect(downloader.download(local("/0"), request())).rejects.toMatchObject({ detail: "too many redirects" });
    await expect(downloader.download(local("/out"), request())).rejects.toMatchObject({ detail: "invalid url" });
  });

  it("lets through exactly the host and port that the configuration names", async () => {
    routes.set("/x", (_request, response) => response.end("x"));
    const downloader = await aDownloader();
    await (await downloader.download(local("/x"), request())).dispose();
    await expect(downloader.download("http://127.0.0.1:80/x", request())).rejects.toMatchObject({ detail: "blocked address" });
    await expect(downloader.download(`http://127.0.0.2:${port}/x`, request())).rejects.toMatchObject({ detail: "blocked address" });
    await expect(downloader.download(`http://localhost:${port}/x`, request())).rejects.toMatchObject({ detail: "blocked port" });
  });
});
