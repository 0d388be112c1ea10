import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createGzip, gzipSync } from "node:zlib";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { keys } from "../../../shared/redis/keys.js";
import { ClientVersions, type ClientVersionsOptions, type VersionMetrics } from "../../../shard/whatsapp/version/client-versions.js";
import type { ClientVersion } from "../../../shard/whatsapp/version/parse-version.js";
import { libraryVersion } from "../../../shard/whatsapp/whatsapp-adapter.js";
import { collectGarbage } from "../../harness/collect-garbage.js";
import { testEgress } from "../../harness/egress.js";
import { eventually } from "../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../harness/redis.js";

/**
 * `WHATSAPP_VERSION_URL` may return anything. Each response costs bounded time and bytes, changes no known version, and is logged in one
 * line without its content.
 */
const [major, minor, own] = libraryVersion;
const limitMs = 2_500;
/** Every response body contains this mark, and no log line may contain it. */
const mark = "b0dy-of-the-answer";
const page = (revision: number | string): string => `/* ${mark} */ self.x={"client_revision":${revision},"server":1}`;

let redis: TestRedis;
let server: Server;
/** Writes raw HTTP: no library server can send these malformed responses. */
let respond: (socket: Socket, path: string) => void;
let requests: string[] = [];
const sockets = new Set<Socket>();
let lines: string[] = [];
let lookups: string[] = [];
const open: ClientVersions[] = [];

const metrics: VersionMetrics = { onVersionLookup: (outcome) => void lookups.push(outcome) };
const port = (): number => (server.address() as AddressInfo).port;
function make(more: Partial<ClientVersionsOptions> = {}): ClientVersions {
  const made = new ClientVersions({
    redis: redis.client,
    egress: testEgress(),
    library: libraryVersion,
    pinned: undefined,
    url: new URL(`http://127.0.0.1:${port()}/sw.js`),
    metrics,
    log: pino({ serializers: { err: pino.stdSerializers.err } }, { write: (line: string) => void lines.push(line) }),
    lookupMs: limitMs,
    ...more,
  });
  open.push(made);
  return made;
}

const whole = (body: string | Buffer, head = ""): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${head}\r\n`;
const respondWith =
  (body: string, head = "") =>
  (socket: Socket): void =>
    void socket.end(whole(body, head) + body);
/** Writes as fast as the client reads, until the client closes the socket. */
function pour(socket: Socket, source: () => Buffer): void {
  const go = (): void => {
    while (!socket.destroyed && socket.write(source()));
  };
  socket.on("drain", go);
  go();
}
const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on("close", () => clearInterval(timer));
};
const redirect =
  (to: () => string, status = 302) =>
  (socket: Socket): void =>
    void socket.end(`HTTP/1.1 ${status} Found\r\nlocation: ${to()}\r\ncontent-length: 0\r\n\r\n`);

beforeAll(async () => {
  redis = await startRedis();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    socket.once("data", (head) => {
      const path = /^GET (\S+)/.exec(head.toString("latin1"))?.[1] ?? "";
      requests.push(path);
      respond(socket, path);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
beforeEach(async () => {
  await redis.client.flushall();
  requests = [];
  lines = [];
  lookups = [];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.stop()));
  for (const socket of sockets) socket.destroy();
});
afterAll(async () => {
  await redis.stop();
  await new Promise((resolve) => server.close(resolve));
});

/** Checks that a failed lookup ends, keeps the previous result, logs one line, and leaves no socket open. */
async function changesNothing(versions: ClientVersions): Promise<void> {
  const before = { found: String(own + 7), foundAt: "1" };
  await redis.client.hset(keys.whatsappVersion, before);
  const spoken: ClientVersion = [major, minor, own + 7];
  const refused = versions.refused(spoken);
  // A garbage collection must not remove anything that ends the lookup.
  await Promise.race([refused, eventually("the request", () => requests.length > 0, limitMs)]).catch(() => undefined);
  await collectGarbage();
  expect(await refused).toBe(false);
  expect(lookups).toEqual(["failed"]);
  expect(await redis.client.hmget(keys.whatsappVersion, "found", "foundAt")).toEqual([before.found, before.foundAt]);
  expect(await versions.current()).toEqual(spoken);
  const logged = lines.filter((line) => line.includes("whatsapp client version lookup failed"));
  expect(logged).toHaveLength(1);
  expect(lines.join("")).not.toContain(mark);
  await eventually("nothing stays open", () => sockets.size === 0);
}

const zeros = Buffer.alloc(1024 * 1024);
const mebibytes = (count: number): string => `${"x".repeat(count * 1024 * 1024)}${page(own + 1_000)}`;

test.each<[string, (socket: Socket) => void]>([
  [
    "never ends",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      pour(socket, () => Buffer.alloc(65_536, mark));
    },
  ],
  ["is huge", respondWith(mebibytes(5))],
  [
    "comes byte by byte",
    (socket) => {
      socket.write(whole("x".repeat(100_000)));
      drip(socket, "x");
    },
  ],
  [
    "has a head without an end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      drip(socket, `x-${mark}: 1\r\n`);
    },
  ],
  ["is announced for ever", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n")],
  ["is nothing at all", () => undefined],
  ["ends before its time", (socket) => void socket.end(whole("x".repeat(1_000)) + page(own + 1_000))],
  ["is no HTTP", (socket) => void socket.end(`${mark}\n`)],
  ["has a head of a megabyte", (socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${mark.repeat(60_000)}\r\n\r\n`)],
  [
    "is a bomb",
    (socket) => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      socket.end(Buffer.concat([Buffer.from(whole(bomb, "content-encoding: gzip\r\n")), bomb]));
    },
  ],
  [
    "is a bomb without an end",
    (socket) => {
      const gzip = createGzip();
      socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n");
      gzip.pipe(socket);
      const more = (): void => void (socket.destroyed || gzip.write(zeros, more));
      more();
    },
  ],
  ["is packed badly", respondWith(`${mark}${"x".repeat(500)}`, "content-encoding: gzip\r\n")],
  ["fails", (socket) => void socket.end(`HTTP/1.1 500 No\r\n\r\n${page(own + 1_000)}`)],
  ["is empty", (socket) => void socket.end("HTTP/1.1 204 None\r\n\r\n")],
  ["breaks off", respondWith(`${mark} {"client_revision":`)],
  ["names a negative one", respondWith(page(-(own + 1_000)))],
  ["names half a one", respondWith(page(`${own + 1_000}.5`))],
  ["names a power", respondWith(page("1e9"))],
  ["names a huge one", respondWith(page("9".repeat(400)))],
  ["names no number", respondWith(page("NaN"))],
  ["names infinity", respondWith(page("Infinity"))],
  ["names nothing", respondWith(page("null"))],
  ["names a list", respondWith(page(`[${own + 1_000}]`))],
  ["names one of years to come", respondWith(page(own + 60_000_000))],
  ["names one of years ago", respondWith(page(own - 60_000_000))],
  ["leads to a file", redirect(() => "file:///etc/passwd")],
  ["leads to this machine", redirect(() => `http://127.0.0.1:${port()}/elsewhere`, 307)],
  ["leads to the cloud's own address", redirect(() => "http://169.254.169.254/latest/meta-data", 301)],
  ["leads to data", redirect(() => `data:text/javascript,${encodeURIComponent(page(own + 1_000))}`)],
])("ignores a response that %s", async (_, given) => {
  respond = given;
  await changesNothing(make());
  // Even the same address gets no second request.
  expect(requests).toEqual(["/sw.js"]);
});

test.each<[string, (socket: Socket) => void]>([
  ["is none", (socket) => void socket.end(`HTTP/1.1 400 No\r\n\r\n${mark}`)],
  ["says nothing", () => undefined],
])("a server of HTTPS whose TLS %s changes nothing", async (_, given) => {
  respond = given;
  await changesNothing(make({ url: new URL(`https://127.0.0.1:${port()}/sw.js`) }));
});

test("ignores a closed port", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(closed.address() as AddressInfo).port}/sw.js`);
  await new Promise((resolve) => closed.close(resolve));
  await changesNothing(make({ url }));
});

test("reports an older version than the one in use, and does not return to it while the current one is accepted", async () => {
  const spoken: ClientVersion = [major, minor, own + 2_000];
  await redis.client.hset(keys.whatsappVersion, { found: own + 2_000, foundAt: 1, refused: own, asked: 1, answered: 1 });
  respond = respondWith(page(own + 1_500));
  const daily = make({ everyMs: 20 });
  daily.start();
  await eventually("the lookup", () => lookups.length > 0);
  expect(lookups).toEqual(["older"]);
  expect(await redis.client.hget(keys.whatsappVersion, "found")).toBe(String(own + 2_000));
  for (const versions of [daily, make()]) expect(await versions.current()).toEqual(spoken);
  // After a refusal of the newer version, the older one is used.
  await redis.client.hset(keys.whatsappVersion, "asked", Date.now() - 11 * 60_000);
  await daily.refused(spoken);
  expect(lookups).toEqual(["older", "found"]);
  expect(await daily.current()).toEqual([major, minor, own + 1_500]);
});

test("keeps the result of a lookup when a read returns at the same time", async () => {
  const reading = make({ everyMs: 0 });
  reading.start();
  respond = respondWith(page(own + 1_500));
  for (let round = 0; round < 100; round++) {
    // Old enough that a refusal starts a new lookup, but nothing else does.
    const refused = own + 2_000 + round;
    await redis.client.hset(keys.whatsappVersion, {
      found: refused,
      foundAt: 1,
      refused: own,
      asked: Date.now() - 11 * 60_000,
      answered: 1,
    });
    await eventually("the record", async () => (await reading.current())[2] === refused);
    await reading.refused([major, minor, refused]);
    expect(await reading.current()).toEqual([major, minor, own + 1_500]);
  }
});

test("uses a pinned version without any lookup", async () => {
  respond = respondWith(page(own + 1_000));
  const pinned: ClientVersion = [major, minor, own - 5];
  const fixed = make({ pinned, everyMs: 10 });
  fixed.start();
  expect(await fixed.refused(pinned)).toBe(false);
  expect([await fixed.current(), requests, lookups]).toEqual([pinned, [], []]);
});
