import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readOwner } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { chunkBytes } from "../../shared/limits.js";
import { silentLog } from "../../shared/log/logger.js";
import { LinkKeys } from "../../shared/media/link.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { channelFile, type LinkedFile } from "../harness/media-files.js";
import { memberPid } from "../harness/member-pid.js";
import { ownerOf } from "../harness/owner-of.js";
import { RawClient } from "../harness/raw-client.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { callWire } from "../harness/wire.js";

/**
 * Kills or stops a shard, a router or the cache Redis during downloads, or moves the session. A download may end short and resume, but no
 * byte may be wrong.
 */
const keyText = `a:${randomBytes(32).toString("base64")}`;
const chunks = 24;
const length = chunks * chunkBytes;
let gateway: Gateway;
let alice: Caller;
let film: LinkedFile;

beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 2, env: { MEDIA_KEYS: keyText, CHUNK_MEMORY_MIB: "12" } });
  alice = await loggedIn(gateway, "alice");
  film = await channelFile(new TelegramSide(gateway), LinkKeys.parse(keyText), alice, 1.5 * 2 ** 30);
});
afterAll(() => gateway.stop());

/** A client that downloads a part of the film, in as many requests as needed. */
class Download {
  taken = 0;
  /** Allows the download to pass its middle at full pace. */
  mayEnd = false;
  /** Unexpected statuses, refused connections and short bodies, with their counts. */
  readonly troubles: string[] = [];
  private readonly from: number;

  constructor(
    firstChunk: number,
    private readonly bases: readonly string[],
  ) {
    this.from = firstChunk * chunkBytes;
  }

  /** Downloads to the end. Throws at a wrong byte, and after a minute without a new byte. */
  async run(): Promise<this> {
    let lastAt = performance.now();
    for (let attempt = 0; this.taken < length; attempt++) {
      const before = this.taken;
      await this.attempt(this.bases[attempt % this.bases.length] ?? "");
      if (this.taken > before) lastAt = performance.now();
      if (performance.now() - lastAt > 60_000) throw new Error(`nothing more came for a minute: ${this.troubles.slice(-3).join("; ")}`);
      if (this.taken < length) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return this;
  }

  private async attempt(base: string): Promise<void> {
    const client = await RawClient.open(base).catch(() => undefined);
    if (client === undefined) return void this.troubles.push("refused");
    const [from, to] = [this.from + this.taken, this.from + length - 1];
    const head = await client.send(film.path, [`Range: bytes=${from}-${to}`, `If-Range: ${film.etag}`, "Connection: close"]).head();
    if (head.startsWith("HTTP/1.1 206 ")) {
      expect(head).toContain(`Content-Range: bytes ${from}-${to}/${film.size}\r\n`);
      await this.take(client);
      if (this.taken < length) this.troubles.push("short");
    } else {
      const { message = "no answer" } =
        head === ""
          ? {}
          : (JSON.parse((await client.read(Number(/content-length: (\d+)/i.exec(head)?.[1]))).toString()) as { message?: string });
      this.troubles.push(`${head.slice(9, 12)} ${message}`.trim());
    }
    client.close();
  }

  /** Reads about 20 MiB a second. After a quarter it slows down until all downloads are there, so that none ends before the kill. */
  private async take(client: RawClient): Promise<void> {
    for (;;) {
      const part = !this.mayEnd && this.taken > length / 4 ? 8 * 1024 : 256 * 1024;
      const bytes = await client.read(Math.min(part, length - this.taken));
      if (!bytes.equals(film.bytes(this.from + this.taken, bytes.length))) throw new Error(`wrong bytes at ${this.from + this.taken}`);
      this.taken += bytes.length;
      if (bytes.length < part) return;
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
  }
}

interface Running {
  readonly all: readonly Download[];
  readonly done: Promise<Download[]>;
}

let nextChunk = 0;
/** Starts four clients at each router, on chunks that are not cached. Two of the four share a part. */
function downloads(bases: (router: number) => readonly string[]): Running {
  const all = [0, 1].flatMap((router) => [0, 0, 1, 2].map((part) => new Download(nextChunk + (router * 3 + part) * chunks, bases(router))));
  nextChunk += 6 * chunks;
  const done = Promise.all(all.map((one) => one.run()));
  done.catch(() => undefined);
  return { all, done };
}
const own = (router: number): string[] => [gateway.telegram[router] ?? ""];

/** Runs `act` when every download has begun and none has ended, then lets them end. */
async function inTheMiddle({ all }: Running, act: () => void): Promise<void> {
  await eventually("the middle of the downloads", () => all.every(({ taken }) => taken > 2 * chunkBytes));
  expect(all.some(({ taken }) => taken === length)).toBe(false);
  act();
  for (const one of all) one.mayEnd = true;
}

/** Runs downloads without any fault. */
async function undisturbed(): Promise<Download[]> {
  const running = downloads(own);
  for (const one of running.all) one.mayEnd = true;
  return await running.done;
}

/** Documented responses that clients may get between two owners. */
const between = [
  "short",
  "500 session not connected",
  "503 server busy",
  "503 storage unavailable",
  "503 telegram did not answer the media request in time",
];

function troublesOf(all: readonly Download[]): string[] {
  return [...new Set(all.flatMap(({ troubles }) => troubles))];
}

/** Resolves when the router's next process responds. */
async function back(name: string, pid: number): Promise<void> {
  await eventually(`${name} back`, () => ![undefined, pid].includes(memberPid(gateway, name)));
  await eventually(`${name} ready`, async () => (await fetch(`http://127.0.0.1:${gateway.adminPorts[0]}/readyz`)).ok);
}

it.each(["SIGKILL", "SIGTERM"] as const)("the shard of the session: %s", async (signal) => {
  const running = downloads(own);
  const name = await ownerOf(gateway, alice);
  const pid = await gateway.shardPid(name);
  await inTheMiddle(running, () => process.kill(pid, signal));
  const all = await running.done;
  expect(troublesOf(all).filter((trouble) => !between.includes(trouble))).toEqual([]);
  expect(all.map(({ taken }) => taken)).toEqual(all.map(() => length));
  await eventually(`${name} back`, async () => (await gateway.shardPid(name)) !== pid);
  await eventually("connected", async () => (await alice.record()).isConnected);
});

it("a router, SIGKILL: its clients go on at the other one, whose own are not disturbed", async () => {
  const running = downloads((router) => (router === 0 ? gateway.telegram : own(1)));
  const pid = memberPid(gateway, "router-1") ?? 0;
  await inTheMiddle(running, () => process.kill(pid, "SIGKILL"));
  const all = await running.done;
  expect(troublesOf(all.slice(0, 4)).filter((trouble) => !["short", "refused", "no answer"].includes(trouble))).toEqual([]);
  expect(troublesOf(all.slice(0, 4))).toContain("short");
  expect(troublesOf(all.slice(4))).toEqual([]);
  await back("router-1", pid);
  expect(troublesOf(await undisturbed()).filter((trouble) => trouble !== "refused")).toEqual([]);
});

it("a router, SIGTERM: what it sends comes to its end", async () => {
  const running = downloads((router) => (router === 0 ? gateway.telegram : own(1)));
  const pid = memberPid(gateway, "router-1") ?? 0;
  await inTheMiddle(running, () => process.kill(pid, "SIGTERM"));
  expect(troublesOf(await running.done)).toEqual([]);
  await back("router-1", pid);
});

it.each(["SIGKILL", "SIGSTOP"] as const)(
  "the cache Redis, %s: from memory, or a proper error; and on again when it is back",
  async (signal) => {
    const cache = await connectRedis(join(gateway.dataDir, "cache", "redis.sock"), "writer", silentLog);
    const pid = Number(/process_id:(\d+)/.exec(await cache.info("server"))?.[1]);
    cache.disconnect();
    const running = downloads(own);
    await inTheMiddle(running, () => process.kill(pid, signal));
    // Shorter than the supervisor's time-out for a silent server.
    if (signal === "SIGSTOP") setTimeout(() => process.kill(pid, "SIGCONT"), 5_000);
    const all = await running.done;
    process.stdout.write(`cache Redis, ${signal}: ${troublesOf(all).join(", ") || "nothing noticed"}\n`);
    expect(troublesOf(all).filter((trouble) => !between.includes(trouble))).toEqual([]);
    await eventually("the cache is back", async () => {
      const again = await connectRedis(join(gateway.dataDir, "cache", "redis.sock"), "writer", silentLog);
      again.disconnect();
      return true;
    });
    expect(troublesOf(await undisturbed())).toEqual([]);
  },
);

it("what is in no cache waits for the next owner's connect while its session moves, as commands do", async () => {
  const side = new TelegramSide(gateway);
  const redis = await connectRedis(join(gateway.dataDir, "redis", "redis.sock"), "writer", silentLog);
  try {
    const { id } = alice.credentials;
    if (!isSessionId(id)) throw new Error("no session id");
    const slot = slotOf(id);
    const member = async (): Promise<string> => (await readOwner(redis, slot))?.member ?? "";
    const next = (await member()) === "shard-1" ? "shard-2" : "shard-1";
    // The connect is as slow as on a busy platform.
    await side.fault({ kind: "delay", account: "alice", seconds: 1 });
    await redis.hset(keys.pins, String(slot), next);
    const responses: string[] = [];
    await eventually("the session at its next owner, connected", async () => {
      const from = (nextChunk += 3) * chunkBytes;
      const { status, body } = await callWire(gateway.telegram[0] ?? "", film.path, { headers: { Range: `bytes=${from}-${from + 99}` } });
      responses.push(status === 206 ? (body.equals(film.bytes(from, 100)) ? "206" : "wrong bytes") : `${status} ${body.toString()}`);
      return (await member()) === next && (await alice.record()).isConnected;
    });
    expect([...new Set(responses)]).toEqual(["206"]);
    await redis.hdel(keys.pins, String(slot));
  } finally {
    redis.disconnect();
    await side.clearFaults();
  }
});
