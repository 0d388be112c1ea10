import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chunkBytes } from "../../shared/limits.js";
import { LinkKeys } from "../../shared/media/link.js";
import { loggedIn } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { sentFile, type LinkedFile } from "../harness/media-files.js";
import { monitorRedis } from "../harness/monitor-redis.js";
import { TelegramSide } from "../harness/telegram-side.js";

/** The first router shares its process with the only shard; the second one is alone. */
const keyText = `a:${randomBytes(32).toString("base64")}`;
const size = 6 * chunkBytes + 1_000;
let cluster: TestCluster;
let platform: TelegramSide;
let file: LinkedFile;

beforeAll(async () => {
  cluster = await startCluster({ allInOne: true, routers: 2, env: { MEDIA_KEYS: keyText } });
  platform = new TelegramSide(cluster);
  file = await sentFile(platform, LinkKeys.parse(keyText), await loggedIn(cluster, "alice"), "alice", size);
  // A new login fetches its own picture with the same method, which must not be counted below.
  await eventually("alice's own picture", async () => (await platform.calls("upload.getFile")) > 0);
});
afterAll(() => cluster.stop());

async function download(router: number): Promise<Buffer> {
  const origin = new URL(cluster.telegram[router] ?? "").origin;
  return Buffer.from(await (await fetch(origin + file.path)).arrayBuffer());
}

it("hands a file from the shard to the router of its process, and other routers read it from Redis", async () => {
  const stored = new Set<string>();
  let readBack: string[] = [];
  let marks = 0;
  const stop = await monitorRedis(cluster.redis.url, ([command = "", key = ""]) => {
    if (key === "mark") marks += 1;
    if (!key.startsWith("chunk:")) return;
    if (command.toLowerCase() === "hset") stored.add(key);
    if (command.toLowerCase() === "hmget" && stored.has(key)) readBack.push(key);
  });
  const before = await platform.calls("upload.getFile");
  /** Returns the chunks that a download read from Redis after they were stored there. */
  const readBy = async (router: number): Promise<string[]> => {
    readBack = [];
    expect((await download(router)).equals(file.bytes(0, size))).toBe(true);
    const seen = marks;
    await cluster.redis.client.get("mark");
    await eventually("the monitor's last line", () => marks > seen);
    return readBack;
  };
  expect(await readBy(0)).toEqual([]);
  // The router sends a chunk as soon as it is there, perhaps before Redis has stored it.
  await eventually("every chunk in Redis", () => stored.size === 7);
  expect(await readBy(0)).toEqual([]);
  expect(new Set(await readBy(1))).toEqual(stored);
  stop();
  expect((await platform.calls("upload.getFile")) - before).toBe(7);
});
