import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, open, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { scrape } from "../harness/metrics.js";
import { PlatformSide } from "../harness/platform-side.js";
import { startRedis } from "../harness/redis.js";

/** A message as the sandbox reports it. */
interface Message {
  readonly type: "message";
  readonly text: string;
}

const phones: Readonly<Record<Platform, string>> = { whatsapp: "6281155501002", telegram: "15550100002" };
const disk = await smallDisk();

/** Mounts a disk of 48 MB. Returns `undefined` when this user may not mount one. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "tl-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], { stdio: "pipe" });
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    process.stdout.write("skipped: only root can give Redis a disk that is small enough to fill\n");
    return undefined;
  }
}

/** Fills the disk of Redis' append-only file. Checks responses, sent messages, and the file once there is room again. */
describe.skipIf(disk === undefined)("a Redis of which the disk is full", () => {
  let cluster: TestCluster;
  let callers: Readonly<Record<Platform, Caller>>;
  beforeAll(async () => {
    cluster = await startCluster({ redisFile: true, redisWithin: disk ?? "" });
    callers = { whatsapp: await loggedIn(cluster, "alice", "whatsapp"), telegram: await loggedIn(cluster, "alice", "telegram") };
  });
  afterAll(async () => {
    await cluster?.stop();
    execFileSync("umount", [disk ?? ""]);
    await rm(disk ?? "", { recursive: true });
  });

  const readiness = async (port: number): Promise<string[]> =>
    ((await request(`http://127.0.0.1:${port}/readyz`)).body as { reasons: string[] }).reasons;
  const fill = async (): Promise<string> => {
    const path = join(disk ?? "", "in-the-way");
    const file = await open(path, "w");
    try {
      for (const bytes of [1_048_576, 4_096, 1]) {
        for (;;) {
          try {
            await file.write(Buffer.alloc(bytes));
          } catch (error) {
            if (error instanceof Error && "code" in error && error.code === "ENOSPC") break;
            throw error;
          }
        }
      }
    } finally {
      await file.close();
    }
    return path;
  };
  /** Sends a new text under a new idempotency key. */
  const send = async (platform: Platform): Promise<{ text: string; key: string; status: number; body: unknown }> => {
    const [text, key] = [`on a full disk ${randomUUID()}`, randomUUID()];
    const { status, body } = await callers[platform].send(
      "POST",
      "/message",
      { phone: phones[platform], type: "text", text },
      { "idempotency-key": key },
    );
    return { text, key, status, body };
  };
  const timesReceived = async (platform: Platform, text: string): Promise<number> =>
    (await new PlatformSide<Message>(cluster, platform).received("alice", "message")).filter((row) => row.text === text).length;

  it("rejects every message with a reason and sends none of them, and recovers when there is room, with all accepted data in its file", async () => {
    for (const platform of platforms) expect((await send(platform)).status).toBe(200);
    const sent: Record<Platform, Awaited<ReturnType<typeof send>>[]> = { whatsapp: [], telegram: [] };
    const filler = await fill();
    const inFlight: Promise<unknown>[] = [];
    // Commands that had begun get their reply when Redis takes their outcomes. Later commands do not wait for them.
    const steady = setInterval(() => {
      for (const platform of platforms) inFlight.push(send(platform).then((done) => sent[platform].push(done)));
    }, 500);
    try {
      for (const port of cluster.adminPorts) {
        await eventually("readiness says it", async () =>
          (await readiness(port)).includes("redis takes no writes: it is failing to write its file"),
        );
        expect(await scrape(port)).toMatch(/^gateway_\w+_redis_writes_refused\{.*\} 1$/m);
      }
      await eventually("refusals of both", () => platforms.every((platform) => sent[platform].some(({ status }) => status === 503)));
      for (const platform of platforms) expect((await callers[platform].get("/session")).status).toBe(200);
      // The full disk lasts longer than a lease.
      const [router = 0, shard = 0] = cluster.adminPorts;
      await eventually("a lease that could not be renewed", async () => (await readiness(shard)).includes("no lease"));
      const settled = platforms.map((platform) => sent[platform].length);
      await eventually("refusals after that", () => platforms.every((platform, i) => sent[platform].length > (settled[i] ?? 0) + 15));
      expect(await readiness(router)).toEqual(["redis takes no writes: it is failing to write its file"]);
    } finally {
      clearInterval(steady);
      await unlink(filler);
    }
    for (const port of cluster.adminPorts) await eventually("ready again", async () => (await readiness(port)).length === 0);
    for (const platform of platforms) {
      await eventually("connected", async () => (await callers[platform].record()).isConnected);
      inFlight.push(send(platform).then((done) => sent[platform].push(done)));
    }
    await Promise.all(inFlight);
    for (const platform of platforms) expect(sent[platform].at(-1)).toMatchObject({ status: 200 });
    for (const platform of platforms) {
      expect(await callers[platform].record()).toMatchObject({ isConnected: true, qrcode: "" });
      for (const { text, status, body } of sent[platform]) {
        // Where too many earlier commands still wait for Redis, the queue is full.
        const message = JSON.stringify(body).includes("server busy") ? "server busy" : "storage unavailable";
        if (status !== 200) expect([status, body]).toEqual([503, { statusCode: 503, message }]);
        expect([text, status, await timesReceived(platform, text)]).toEqual([text, status, status === 200 ? 1 : 0]);
      }
    }
    const stored = (await cluster.redis.client.keys("*")).filter((key) => /^(session|result|secrets):/.test(key)).sort();
    expect(stored.length).toBeGreaterThan(4);
    await eventually("its file written", async () => (await cluster.redis.client.info("persistence")).includes("aof_last_write_status:ok"));
    const again = await startRedis({ withFile: true, from: cluster.redis.folder });
    try {
      for (const key of stored) expect([key, await again.client.exists(key)]).toEqual([key, 1]);
    } finally {
      await again.stop();
    }
  });
});
