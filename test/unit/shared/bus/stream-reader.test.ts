import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isBehind, StreamReader, type StreamEntry } from "../../../../shared/bus/stream-reader.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let connection: RedisClient;
let reader: StreamReader;
let seen: StreamEntry[];
let missing: number;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  connection = await connectRedis(redis.url, "reader", silentLog);
  seen = [];
  missing = 0;
  await redis.client.xgroup("CREATE", "s", "g", "0", "MKSTREAM");
  reader = new StreamReader({
    redis: connection,
    stream: "s",
    whole: {
      onMissing: async () => {
        missing += 1;
        await redis.client.xgroup("CREATE", "s", "g", "0", "MKSTREAM");
      },
    },
    onEntry: (entry) => seen.push(entry),
    log: silentLog,
  });
});
afterEach(() => reader.stop());

const add = async (text: string, id = "*"): Promise<string> => (await redis.client.xadd("s", id, "e", text)) ?? "";
const texts = (): string[] => seen.map(({ fields, again }) => `${String(fields.get("e"))}${again === true ? " again" : ""}`);
const reads = (wanted: string[]): Promise<unknown> => eventually(wanted.join(), () => texts().join() === wanted.join());

describe("a stream that is read whole", () => {
  it("begins with what a former life left, marked, and goes on with what is new", async () => {
    const many = Array.from({ length: 450 }, (_, n) => `old ${n}`);
    for (const text of many) await add(text);
    reader.start();
    await reads(many.map((text) => `${text} again`));
    await add("new");
    await reads([...many.map((text) => `${text} again`), "new"]);
  });

  it("marks nothing that came after its start", async () => {
    reader.start();
    await eventually("waiting", async () => String(await redis.client.client("LIST")).includes("cmd=xread"));
    await add("first");
    await reads(["first"]);
  });

  it("delivers unfinished entries again after a cut connection, marked, and undelivered ones without a mark", async () => {
    reader.start();
    const [done, open] = [await add("done"), await add("open")];
    await reads(["done", "open"]);
    await redis.client.xdel("s", done);
    connection.disconnect(true);
    await add("late");
    await reads(["done", "open", "open again", "late"]);
    expect(open).not.toBe("");
  });

  it("sees what a Redis that took over gives out under smaller ids", async () => {
    reader.start();
    const first = await add("first", "2000-0");
    await reads(["first"]);
    await redis.client.xdel("s", first);
    await redis.client.del("s");
    await redis.client.xgroup("CREATE", "s", "g", "0", "MKSTREAM");
    connection.disconnect(true);
    await add("second", "1000-0");
    await eventually("second", () => texts().at(-1)?.startsWith("second"));
    await add("third", "1000-1");
    await eventually("third", () => texts().at(-1)?.startsWith("third"));
    expect(seen).toHaveLength(3);
  });

  it("sees what another stream under its name begins with, on the same connection", async () => {
    reader.start();
    const first = await add("first", "2000-0");
    await reads(["first"]);
    await redis.client.xdel("s", first);
    await redis.client.del("s");
    await redis.client.xgroup("CREATE", "s", "g", "0", "MKSTREAM");
    await add("second", "1000-0");
    await reads(["first", "second again"]);
    await add("third", "1000-1");
    await eventually("third", () => texts().at(-1)?.startsWith("third"));
    expect([seen.length, missing]).toEqual([3, 0]);
  });

  it("is made again when Redis has lost it", async () => {
    reader.start();
    await add("first");
    await reads(["first"]);
    await redis.client.del("s");
    await eventually("made again", async () => missing > 0 && (await redis.client.exists("s")) === 1);
    await add("second");
    await reads(["first", "second"]);
    expect(missing).toBe(1);
  });

  it("writes nothing by being read", async () => {
    reader.start();
    const changes = async (): Promise<number> =>
      Number(/^rdb_changes_since_last_save:(\d+)/m.exec(await redis.client.info("persistence"))?.[1]);
    const before = await changes();
    await add("first");
    await reads(["first"]);
    expect(await changes()).toBe(before + 1);
  });
});

it.each<[string, string, boolean]>([
  ["1-0", "0-0", true],
  ["2-0", "10-0", false],
  ["10-2", "10-10", false],
  ["10-11", "10-10", true],
  ["10-10", "10-10", false],
])("%s behind %s: %s", (id, other, expected) => {
  expect(isBehind(id, other)).toBe(expected);
});
