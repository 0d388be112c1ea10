import { testRing } from "../../../../harness/owned-session.js";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { newSessionId } from "../../../../../shared/contract/ids.js";
import type { MediaAddress } from "../../../../../shared/contract/media.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { DescriptionCache, type MediaHolder } from "../../../../../shared/media/description-cache.js";
import { accountSequence, type DeletedMessages } from "../../../../../shared/media/message-media.js";
import { connectRedis, type RedisClient } from "../../../../../shared/redis/connect.js";
import { DeletionFeed } from "../../../../../router/media/deletion-feed.js";
import { DeletedMedia } from "../../../../../shard/files/media/deleted-media.js";
import { eventually } from "../../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let [coordination, cached]: TestRedis[] = [];
beforeAll(async () => {
  [coordination, cached] = await Promise.all([startRedis(), startRedis()]);
});
afterAll(() => Promise.all([coordination?.stop(), cached?.stop()]));

const holder: MediaHolder = { session: newSessionId(Date.now()), account: "77" };
const address: MediaAddress = { chatId: "5", messageId: "42", variant: "photo" };
const deleted: DeletedMessages = { sequence: accountSequence, ids: ["41", "42"] };
const connections: RedisClient[] = [];
let deletions: [MediaHolder, DeletedMessages][];
let edits: [MediaHolder, DeletedMessages][];
let left: number;
let cache: RedisClient;
let media: DeletedMedia;
let descriptions: DescriptionCache;

beforeEach(async () => {
  const connect = async (server: TestRedis | undefined, role: "writer" | "subscriber"): Promise<RedisClient> => {
    const made = await connectRedis(server?.url ?? "", role, silentLog);
    connections.push(made);
    return made;
  };
  [deletions, edits, left] = [[], [], 0];
  const feed = new DeletionFeed(await connect(coordination, "subscriber"));
  feed.onDeleted((...deletion) => deletions.push(deletion));
  feed.onEdited((...edit) => edits.push(edit));
  await feed.start();
  cache = await connect(cached, "writer");
  descriptions = new DescriptionCache(cache, testRing);
  media = new DeletedMedia({ descriptions, redis: await connect(coordination, "writer"), onLeft: () => (left += 1), log: silentLog });
});
afterEach(() => {
  for (const made of connections.splice(0)) made.disconnect();
});

it("notifies the routers about deleted messages, and removes their cached chunks", async () => {
  await descriptions.put(holder, address, {
    size: 10,
    mimetype: "image/jpeg",
    etag: "abc",
    fileKey: "0123456789abcdef0123456789abcdef",
    name: "",
  });
  await media.forget(holder, deleted);
  await eventually("the notice", () => deletions.length > 0);
  expect(deletions).toEqual([[holder, deleted]]);
  await eventually("an empty cache", async () => (await descriptions.get(holder, address)) === undefined);
  expect(left).toBe(0);
});

it("notifies the routers about edited messages apart from deleted ones, and removes their cached descriptions", async () => {
  await descriptions.put(holder, address, { size: 10, mimetype: "image/jpeg", etag: "abc", fileKey: "0123", name: "" });
  await media.refresh(holder, deleted);
  await eventually("the notice", () => edits.length > 0);
  expect({ edits, deletions }).toEqual({ edits: [[holder, deleted]], deletions: [] });
  await eventually("an empty cache", async () => (await descriptions.get(holder, address)) === undefined);
});

it("notifies the routers while the cache is down", async () => {
  cache.disconnect();
  await media.forget(holder, deleted);
  await eventually("the notice", () => deletions.length > 0);
  await eventually("a deletion that was left", () => left === 1);
});

it("does not wait for a hanging cache, and bounds the number of concurrent deletions", async () => {
  const { pid } = cached ?? {};
  if (pid === undefined) throw new Error("no server");
  process.kill(pid, "SIGSTOP");
  try {
    await Promise.all(Array.from({ length: 65 }, () => media.forget(holder, deleted)));
    // Only the one past the bound was dropped. The others still wait.
    expect(left).toBe(1);
    await eventually("the notices", () => deletions.length === 65);
    await eventually("the others, given up", () => left === 65);
  } finally {
    process.kill(pid, "SIGCONT");
  }
});
