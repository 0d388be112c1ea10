import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chunkBytes } from "../../shared/limits.js";
import { LinkKeys } from "../../shared/media/link.js";
import { keys as redisKeys } from "../../shared/redis/keys.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { collectGarbage } from "../harness/collect-garbage.js";
import { eventually } from "../harness/eventually.js";
import { channelFile, sentFile, type LinkedFile } from "../harness/media-files.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { RawClient } from "../harness/raw-client.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { callWire } from "../harness/wire.js";

/**
 * Clients of the media endpoint leave at every point of a request. Nothing may stay behind: no request, stream, command, timer or memory.
 * All processes run in this one, so that the test can inspect them.
 */
const keyText = `a:${randomBytes(32).toString("base64")}`;
const linkKeys = LinkKeys.parse(keyText);
/** Fetches of one file that run at once. Further fetches are queued. */
const turnsOfFile = 4;
const streamsOfSession = 16;

let cluster: TestCluster;
let platform: TelegramSide;
let alice: Caller;
let film: LinkedFile;
let base: string;
const warnings: Error[] = [];
const onWarning = (warning: Error): void => void warnings.push(warning);

beforeAll(async () => {
  process.on("warning", onWarning);
  cluster = await startCluster({ env: { MEDIA_KEYS: keyText, CHUNK_MEMORY_MIB: "4" } });
  base = cluster.telegram[0] ?? "";
  platform = new TelegramSide(cluster);
  alice = await loggedIn(cluster, "alice");
  film = await channelFile(platform, linkKeys, alice, 1.5 * 2 ** 30);
});
afterEach(async () => {
  for (const one of clients) one.close();
  await platform.clearFaults();
});
afterAll(async () => {
  process.off("warning", onWarning);
  await cluster.stop();
});

/** Returns the first byte of chunks that no client has requested. */
let nextChunk = 0;
function cold(chunks = 1): number {
  const chunk = nextChunk;
  nextChunk += chunks + 2;
  return chunk * chunkBytes;
}
const range = (from: number, length: number): string[] => [`Range: bytes=${from}-${from + length - 1}`];
/** Clients that are still connected. */
const clients = new Set<RawClient>();
async function client(): Promise<RawClient> {
  const one = await RawClient.open(base);
  clients.add(one);
  one.socket.once("close", () => clients.delete(one));
  return one;
}
const getParts = (): Promise<number> => platform.calls("upload.getFile");
const stallParts = (): Promise<void> => platform.fault({ account: "alice", kind: "stall", method: "upload.getFile" });
const scrapeOf = (side: "router" | "shard"): Promise<string> => scrape(cluster.adminPorts[side === "router" ? 0 : 1] ?? 0);
const gauge = async (side: "router" | "shard", name: string): Promise<number> => metricOf(await scrapeOf(side), name);

/** Resolves when the platform has received `count` more requests for parts than `before`. */
async function partsRequested(before: number, count: number): Promise<void> {
  await eventually(`${count} parts asked for`, async () => (await getParts()) - before >= count);
}

/** Returns the path of a film that no client has opened, so its description comes from the platform. */
async function undescribed(): Promise<string> {
  const { messageId, chatId } = (await platform.post("/people/send", { account: "alice", chat: "bob", media: "video" })).body as {
    messageId: string;
    chatId: string;
  };
  const { id } = alice.credentials;
  return `/telegram${linkKeys.sign(id as Parameters<LinkKeys["sign"]>[0], { chatId, messageId, variant: "file" }, "mp4")}`;
}

const leftovers = ["gateway_router_requests_running", "gateway_router_media_streams_open", "gateway_router_connections_open"];

/** Resolves when nothing runs in the router, the bus and the shard. */
async function atRest(): Promise<void> {
  await eventually("nothing left", async () => {
    const router = await scrapeOf("router");
    const left = leftovers.map((name) => metricOf(router, name));
    left.push(
      await gauge("shard", "gateway_shard_commands_in_flight_commands"),
      await cluster.redis.client.xlen(redisKeys.commands("shard-1")),
    );
    if (left.some((count) => count !== 0)) throw new Error(`still there: ${left.join(", ")}`);
    return true;
  });
}

async function isServed(from: number, length: number): Promise<void> {
  const response = await callWire(base, film.path, { headers: { range: `bytes=${from}-${from + length - 1}` } });
  expect([response.status, response.body.length]).toEqual([206, length]);
  expect(response.body.equals(film.bytes(from, length))).toBe(true);
}

/** Brings the request to the point of the abort. Resolves with a function that aborts it. */
type Point = () => Promise<() => void | Promise<void>>;

const points: [string, Point][] = [
  [
    "in the request line",
    async () => {
      const one = await client();
      one.socket.write(`GET ${film.path.slice(0, 30)}`);
      return () => one.close();
    },
  ],
  [
    "in the headers",
    async () => {
      const one = await client();
      one.socket.write(`GET ${film.path} HTTP/1.1\r\nHost: x\r\nRange: byt`);
      return () => one.close();
    },
  ],
  [
    "right after the request",
    async () => {
      const one = (await client()).send(film.path, range(cold(), chunkBytes));
      return () => one.close();
    },
  ],
  [
    "right after the request, with a reset",
    async () => {
      const one = (await client()).send(film.path, range(cold(), chunkBytes));
      return () => one.reset();
    },
  ],
  [
    "before the body that it announced",
    async () => {
      const one = (await client()).send(film.path, [...range(cold(), 10), "Content-Length: 100"]);
      return () => one.close();
    },
  ],
  [
    "while the message is looked for",
    async () => {
      const path = await undescribed();
      const before = await platform.calls("messages.getMessages");
      await platform.fault({ account: "alice", kind: "stall", method: "messages.getMessages" });
      const one = (await client()).send(path);
      await eventually("the question", async () => (await platform.calls("messages.getMessages")) > before);
      return () => one.close();
    },
  ],
  [
    "during HEAD, while the message is looked for",
    async () => {
      const path = await undescribed();
      const before = await platform.calls("messages.getMessages");
      await platform.fault({ account: "alice", kind: "stall", method: "messages.getMessages" });
      const one = (await client()).send(path, [], "HEAD");
      await eventually("the question", async () => (await platform.calls("messages.getMessages")) > before);
      return () => one.close();
    },
  ],
  [
    "after HEAD",
    async () => {
      const one = (await client()).send(film.path, [], "HEAD");
      await one.head();
      return () => one.close();
    },
  ],
  ...(["close", "reset", "halfClose"] as const).map((leave): [string, Point] => [
    `while the first chunk is fetched (${leave})`,
    async () => {
      const before = await getParts();
      await stallParts();
      const one = (await client()).send(film.path, range(cold(), 10));
      await partsRequested(before, 1);
      return () => one[leave]();
    },
  ]),
  [
    "while others fetch and it waits for its turn",
    async () => {
      const before = await getParts();
      await stallParts();
      const all = await Promise.all(Array.from({ length: turnsOfFile }, async () => (await client()).send(film.path, range(cold(), 10))));
      await partsRequested(before, turnsOfFile);
      const last = (await client()).send(film.path, range(cold(), 10));
      await eventually(
        "one more that waits",
        async () => (await gauge("shard", "gateway_shard_commands_in_flight_commands")) > turnsOfFile,
      );
      return () => [last, ...all].forEach((one) => one.close());
    },
  ],
  [
    "while others wait for the same chunk, which they get",
    async () => {
      const before = await getParts();
      const from = cold();
      await platform.fault({ account: "alice", kind: "delay", method: "upload.getFile", seconds: 20 });
      const [first, second, third] = await Promise.all([client(), client(), client()]);
      for (const one of [first, second, third]) one.send(film.path, range(from, 10));
      await partsRequested(before, 1);
      await eventually("three streams", async () => (await gauge("router", "gateway_router_media_streams_open")) === 3);
      return async () => {
        first.close();
        third.reset();
        await eventually("one stream", async () => (await gauge("router", "gateway_router_media_streams_open")) === 1);
        await platform.clearFaults();
        expect(await second.head()).toMatch(/^HTTP\/1\.1 206 /);
        expect((await second.read(10)).equals(film.bytes(from, 10))).toBe(true);
        second.close();
      };
    },
  ],
  [
    "when it was refused for want of a stream",
    async () => {
      const before = await getParts();
      await stallParts();
      const from = cold();
      const all = await Promise.all(
        Array.from({ length: streamsOfSession }, async () => (await client()).send(film.path, range(from, 10))),
      );
      await partsRequested(before, 1);
      await eventually("all streams", async () => (await gauge("router", "gateway_router_media_streams_open")) === streamsOfSession);
      const refused = (await client()).send(film.path, range(from, 10));
      expect(await refused.head()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n/);
      return () => [refused, ...all].forEach((one) => one.close());
    },
  ],
  [
    "after the headers",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      expect(await one.head()).toMatch(/^HTTP\/1\.1 206 /);
      return () => one.close();
    },
  ],
  [
    "in the middle of a chunk",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      await one.head();
      await one.read(3.5 * chunkBytes);
      return () => one.close();
    },
  ],
  [
    "in the middle of a chunk, with a reset",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      await one.head();
      await one.read(3.5 * chunkBytes);
      return () => one.reset();
    },
  ],
  [
    "between two chunks",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      await one.head();
      await one.read(4 * chunkBytes);
      return () => one.close();
    },
  ],
  ...(["close", "reset", "halfClose"] as const).map((leave): [string, Point] => [
    `while a later chunk is fetched (${leave})`,
    async () => {
      const from = cold(3);
      await isServed(from, chunkBytes);
      const before = await getParts();
      await stallParts();
      const one = (await client()).send(film.path, range(from, 3 * chunkBytes));
      await one.head();
      await one.read(chunkBytes);
      await partsRequested(before, 1);
      return () => one[leave]();
    },
  ]),
  ...(["close", "reset"] as const).map((leave): [string, Point] => [
    `while it reads nothing and the sockets are full (${leave})`,
    async () => {
      const one = (await client()).send(film.path, range(cold(60), 60 * chunkBytes));
      await eventually("at rest", unchanged(getParts));
      return () => one[leave]();
    },
  ]),
  [
    "when it has said that it asks for nothing more",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      await one.head();
      await one.read(chunkBytes);
      return () => one.halfClose();
    },
  ],
  [
    "at the second request of its connection",
    async () => {
      const from = cold();
      const one = (await client()).send(film.path, range(from, 100));
      await one.head();
      expect((await one.read(100)).equals(film.bytes(from, 100))).toBe(true);
      const before = await getParts();
      await stallParts();
      one.send(film.path, range(cold(), 100));
      await partsRequested(before, 1);
      return () => one.close();
    },
  ],
  [
    "with a second request before the first is answered",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      await one.head();
      one.send(film.path, range(cold(), 100));
      return () => one.close();
    },
  ],
  [
    "to seek: it opens the file at another place at once",
    async () => {
      const one = (await client()).send(film.path, range(cold(40), 40 * chunkBytes));
      await one.head();
      await one.read(chunkBytes);
      return async () => {
        one.close();
        await isServed(cold(), 1_000);
      };
    },
  ],
  [
    "after the last byte",
    async () => {
      const one = (await client()).send(film.path, range(cold(2), 2 * chunkBytes));
      await one.head();
      await one.read(2 * chunkBytes);
      return () => one.close();
    },
  ],
];

describe("a client that leaves", () => {
  it.each(points)("%s", async (_, point) => {
    const leave = await point();
    await leave();
    const before = await getParts();
    await platform.clearFaults();
    await atRest();
    // A fetch that ends before its cancel arrives passes its turn on to one other fetch.
    expect((await getParts()) - before).toBeLessThanOrEqual(turnsOfFile);
    await isServed(0, 100);
    await isServed(cold(), 100);
    await atRest();
    expect(warnings.map(({ stack }) => stack)).toEqual([]);
  });
});

describe("what is held", () => {
  // The sandbox caches the last 128 MiB it served. From now on its cache does not grow.
  beforeAll(() => isServed(cold(260), 260 * chunkBytes));

  it("for clients that read nothing: two chunks each", async () => {
    const held = async (): Promise<number> => {
      await eventually("at rest", unchanged(getParts));
      await collected();
      return process.memoryUsage().arrayBuffers;
    };
    /** Memory is released some time after it is free, and later on a busy machine. */
    const heldAtMost = (what: string, most: number): Promise<true> =>
      eventually(what, async () => {
        const bytes = await held();
        if (bytes >= most) throw new Error(`${bytes - most} bytes too many`);
        return true;
      });
    /** Every stream of the session has a reader that pauses. */
    const heldForReaders = async (most = Number.POSITIVE_INFINITY): Promise<void> => {
      const all = await Promise.all(
        Array.from({ length: streamsOfSession }, async () => (await client()).send(film.path, range(cold(40), 40 * chunkBytes))),
      );
      await heldAtMost("no more than that for readers", most);
      all.forEach((one) => one.close());
      await atRest();
    };
    // After this the buffers for the next chunk exist.
    await heldForReaders();
    const before = await held();
    // Per stream two chunks, and half a chunk between platform and router. A third held chunk would exceed this by far.
    for (let round = 0; round < 2; round += 1) await heldForReaders(before + 2.5 * streamsOfSession * chunkBytes);
    // Departed streams must not keep two chunks each. A few more buffers for the next chunk are allowed.
    await heldAtMost("no more than that for those that left", before + 1.75 * streamsOfSession * chunkBytes);
  });

  it("of 1,000 clients that left: nothing", async () => {
    const warm = cold(16);
    await isServed(warm, 16 * chunkBytes);
    const wave = async (clients: number): Promise<void> => {
      for (let i = 0; i < clients; i += streamsOfSession / 2) {
        await Promise.all(
          Array.from({ length: streamsOfSession / 2 }, async (_, n) => {
            const one = (await client()).send(film.path, range(warm + (n % 8) * chunkBytes, 8 * chunkBytes));
            if (n % 4 !== 0) await one.head();
            if (n % 2 === 1) await one.read(chunkBytes * (n % 3) + 1_000);
            if (n % 3 === 0) one.reset();
            else one.close();
          }),
        );
      }
      await atRest();
    };
    const standing = async (): Promise<{ heap: number; buffers: number; timers: number; resources: number }> => {
      await collected();
      const { heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage();
      const resources = process.getActiveResourcesInfo();
      return { heap, buffers, timers: resources.filter((name) => name === "Timeout").length, resources: resources.length };
    };
    await wave(200);
    const before = await standing();
    await wave(1_000);
    // A leaked request would hold some KiB, at worst two chunks, and a timer. Other parts' timers and buffers come and go.
    await eventually("no more than before", async () => {
      const now = await standing();
      const more = {
        heap: now.heap - before.heap,
        buffers: now.buffers - before.buffers,
        timers: now.timers - before.timers,
        resources: now.resources - before.resources,
      };
      if (more.heap > 1.5 * 2 ** 20 || more.buffers > 6 * 2 ** 20 || more.timers > 20 || more.resources > 40)
        throw new Error(`more than before: ${JSON.stringify(more)}`);
      return true;
    });
    expect(warnings.map(({ stack }) => stack)).toEqual([]);
  });
});

describe("streams", () => {
  it(`${streamsOfSession} of a session, then 503 with Retry-After 1, until one is free`, async () => {
    const other = await sentFile(platform, linkKeys, alice, "alice", 3 * chunkBytes);
    const before = await getParts();
    await platform.fault({ account: "alice", kind: "delay", method: "upload.getFile", seconds: 20 });
    const from = cold();
    const all = await Promise.all(Array.from({ length: streamsOfSession }, async () => (await client()).send(film.path, range(from, 100))));
    await eventually("all streams", async () => (await gauge("router", "gateway_router_media_streams_open")) === streamsOfSession);
    for (const path of [film.path, other.path]) {
      const refused = await callWire(base, path, { headers: { range: "bytes=0-9" } });
      expect([refused.status, refused.headers.get("retry-after"), refused.body.toString()]).toEqual([
        503,
        ["1"],
        '{"statusCode":503,"message":"server busy"}',
      ]);
      // A request that needs no stream succeeds.
      expect((await callWire(base, path, { method: "HEAD" })).status).toBe(200);
    }
    await platform.clearFaults();
    for (const one of all) {
      expect(await one.head()).toMatch(/^HTTP\/1\.1 206 /);
      expect((await one.read(100)).equals(film.bytes(from, 100))).toBe(true);
      one.close();
    }
    expect((await getParts()) - before).toBe(1);
    await atRest();
    await isServed(from, 100);
  });
});

/** Collects all garbage. A thread releases the buffers' memory some time later. */
async function collected(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns a check that is true once a count has not changed for half a second. */
function unchanged(count: () => Promise<number>): () => Promise<boolean> {
  let last = -1;
  let since = performance.now();
  return async () => {
    const now = await count();
    if (now !== last) since = performance.now();
    last = now;
    return performance.now() - since > 500;
  };
}
