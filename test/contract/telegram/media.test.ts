import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../../shared/limits.js";
import { loggedIn, request, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { inFlight } from "../../harness/metrics.js";
import { RawClient } from "../../harness/raw-client.js";
import { syntheticBytes } from "../../sandbox/files/synthetic-bytes.js";

/** Tests GET and HEAD of media links of variant B: the fetches they cause, and responses while the platform is unreachable. */
let gateway: TestCluster;
let caller: Caller;
let path: string;
let fileId: string;
let cleanedUp: (() => Promise<void>)[] = [];
const size = 64 * 1024 * 1024;

beforeAll(async () => {
  gateway = await startCluster();
  caller = await loggedIn(gateway, "alice");
  // A new login downloads its own picture by the same method as files. It must not be counted below.
  await eventually("alice's own picture", async () => (await parts()) > 0);
  const media = await sandbox("/media?platform=telegram");
  const doc = media.docs.find((entry) => entry["size"] === size);
  fileId = String(doc?.["fileId"]);
  const { docs } = (await caller.get(`/channel/message?channelId=${String(doc?.["chatId"])}&limit=100`)).body as { docs: ChannelMessage[] };
  path = new URL(docs.find((message) => message.size === size)?.url ?? "", gateway.telegram[0]).pathname;
});
afterAll(() => gateway.stop());
afterEach(async () => {
  for (const clean of cleanedUp) await clean();
  cleanedUp = [];
});

async function sandbox(target: string, method = "GET"): Promise<{ docs: Record<string, unknown>[] } & Record<string, unknown>> {
  return (await request(`${gateway.sandbox}${target}`, { method })).body as { docs: Record<string, unknown>[] } & Record<string, unknown>;
}

async function fault(body: Record<string, unknown>): Promise<void> {
  cleanedUp.push(async () => void (await sandbox("/faults", "DELETE")));
  expect(await caller.phone("/faults", { platform: "telegram", account: "alice", ...body })).toMatchObject({ status: 200 });
}

const get = (headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
  fetch(new URL(path, gateway.telegram[0]), { method, headers, signal: AbortSignal.timeout(120_000) });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const parts = async (): Promise<number> => ((await sandbox("/calls"))["telegram"] as Record<string, number>)["upload.getFile"] ?? 0;
/** Returns the start of a chunk that no other test reads. */
let nextCold = 40;
const cold = (): number => nextCold++ * chunkBytes;

it("fetches nothing for HEAD and for ranges outside", async () => {
  const before = await parts();
  await get({}, "HEAD");
  await get({ range: `bytes=${size}-` });
  expect(await parts()).toBe(before);
});

describe("work", () => {
  it("fetches only what the range touches, once, and reads ahead inside it only", async () => {
    const start = cold();
    const before = await parts();
    const range = `bytes=${start + 5}-${start + 9}`;
    await Promise.all(Array.from({ length: 10 }, async () => bytesOf(await get({ range }))));
    expect((await parts()) - before).toBe(1);
  });

  it("stops fetching when the client leaves", async () => {
    const start = cold();
    nextCold += 60;
    const before = await parts();
    const client = (await RawClient.open(gateway.telegram[0] ?? "")).send(path, [`Range: bytes=${start}-${start + 60 * chunkBytes - 1}`]);
    await client.read(1);
    client.close();
    await eventually("nothing in flight", async () => (await inFlight(gateway)) === 0);
    // Earlier requests of the router use the same path, so they have arrived before this one.
    expect((await caller.get("/channel/alice_news")).status).toBe(200);
    await eventually("nothing in flight", async () => (await inFlight(gateway)) === 0);
    // The sockets between test and router take a few parts, not the whole range.
    expect((await parts()) - before).toBeLessThan(40);
    const atRest = await parts();
    const at = cold();
    await bytesOf(await get({ range: `bytes=${at}-${at}` }));
    expect((await parts()) - atRest).toBe(1);
  });
});

describe("when the platform does not deliver", () => {
  it("passes a wait on: 503 with Retry-After", async () => {
    await fault({ method: "upload.getFile", kind: "flood-wait", seconds: 77, times: 5 });
    const answer = await get({ range: `bytes=${cold()}-` });
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      503,
      "77",
      { statusCode: 503, message: "telegram asked to wait 77s" },
    ]);
  });

  it("gives up after 30 s: 503 with Retry-After", async () => {
    // Longer than the test's time limit, so the platform's response does not end the wait.
    await fault({ method: "upload.getFile", kind: "stall", seconds: 600 });
    const answer = await get({ range: `bytes=${cold()}-` });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { statusCode: 503, message: "telegram did not answer the media request in time" },
    ]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("serves cached chunks of a disconnected session, and nothing else", async () => {
    const cached = { range: `bytes=0-${2 * chunkBytes - 1}` };
    await bytesOf(await get(cached));
    await fault({ kind: "refuse", seconds: 600 });
    await fault({ kind: "drop" });
    await eventually("disconnected", async () => !(await caller.record()).isConnected);
    expect((await bytesOf(await get(cached))).equals(syntheticBytes(fileId, 0, 2 * chunkBytes))).toBe(true);
    const answer = await get({ range: `bytes=${cold()}-` });
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "session not connected" }]);
    await sandbox("/faults", "DELETE");
    await eventually("connected again", async () => (await caller.record()).isConnected);
  });
});
