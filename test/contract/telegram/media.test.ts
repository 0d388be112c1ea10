import { connect } from "node:net";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../../shared/contract/ids.js";
import type { ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../../shared/limits.js";
import { loggedIn, request, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startGateway, type Gateway } from "../../harness/gateway.js";
import { syntheticBytes } from "../../sandbox/files/synthetic-bytes.js";

/** GET and HEAD of media links, variant B, against the running system: every row of the range table, links, and what a lost platform means. */
let gateway: Gateway;
let caller: Caller;
let path: string;
let fileId: string;
let cleanedUp: (() => Promise<void>)[] = [];
const size = 64 * 1024 * 1024;

beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  caller = await loggedIn(gateway, "alice");
  const media = await sandbox("/media?platform=telegram");
  const doc = media.docs.find((entry) => entry["size"] === size);
  fileId = String(doc?.["fileId"]);
  const { docs } = (await caller.get(`/channel/message?channelId=${String(doc?.["chatId"])}&limit=100`)).body as { docs: ChannelMessage[] };
  path = new URL(docs.find((message) => message.size === size)?.url ?? "", gateway.telegram[0]).pathname;
}, 120_000);
afterAll(() => gateway.stop(), 60_000);
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

const get = (headers: Record<string, string> = {}, method = "GET", target = path): Promise<Response> =>
  fetch(new URL(target, gateway.telegram[0]), { method, headers, signal: AbortSignal.timeout(120_000) });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const parts = async (): Promise<number> => ((await sandbox("/calls"))["telegram"] as Record<string, number>)["upload.getFile"] ?? 0;
/** A range of chunks that no other test touches. */
let nextCold = 40;
const cold = (): number => nextCold++ * chunkBytes;

describe("ranges", () => {
  it.each<[string, number, number]>([
    ["bytes=0-0", 0, 0],
    ["bytes=5-", 5, size - 1],
    [`bytes=${chunkBytes - 1}-${chunkBytes}`, chunkBytes - 1, chunkBytes],
    ["bytes=-7", size - 7, size - 1],
    [`bytes=-${size + 5}`, 0, size - 1],
    [`bytes=${size - 2}-${size + 100}`, size - 2, size - 1],
  ])("%s: 206", async (range, from, to) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-range"), answer.headers.get("content-length")]).toEqual([206, `bytes ${from}-${to}/${size}`, String(to - from + 1)]);
    if (to - from > 10 * chunkBytes) await answer.body?.cancel();
    else expect((await bytesOf(answer)).equals(syntheticBytes(fileId, from, to - from + 1))).toBe(true);
  });

  it.each([`bytes=${size}-`, "bytes=-0"])("%s: 416", async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-range"), await answer.json()]).toEqual([416, `bytes */${size}`, { statusCode: 416, message: "range not satisfiable" }]);
  });

  it.each(["bytes=9-1", "bytes=x-y", "lines=1-2", "bytes=0-1,4-5"])("%s: 200, whole", async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, String(size)]);
    await answer.body?.cancel();
  });

  it("equals the file in 100 random ranges", async () => {
    for (let round = 0; round < 100; round++) {
      // Within the first 8 MiB: what is asked twice comes from a cache, and both ways have to agree.
      const from = Math.floor(Math.random() * 16 * chunkBytes);
      const length = 1 + Math.floor(Math.random() * 100_000);
      const answer = await get({ range: `bytes=${from}-${from + length - 1}` });
      expect((await bytesOf(answer)).equals(syntheticBytes(fileId, from, length)), `${from} ${length}`).toBe(true);
    }
  }, 60_000);
});

describe("conditions and HEAD", () => {
  it("knows its entity tag", async () => {
    const head = await get({}, "HEAD");
    const etag = head.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(size), ""]);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      "content-type": "video/mp4",
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=86400",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-disposition": expect.stringMatching(/^inline/) as string,
    });
    expect((await get({ "if-none-match": etag })).status).toBe(304);
    expect((await get({ range: "bytes=0-9", "if-range": etag })).status).toBe(206);
    const other = await get({ range: "bytes=0-9", "if-range": '"other"' });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  it("fetches nothing for HEAD and for ranges outside", async () => {
    const before = await parts();
    await get({}, "HEAD");
    await get({ range: `bytes=${size}-` });
    expect(await parts()).toBe(before);
  });
});

describe("links", () => {
  it("refuses a change of any character of the signature", async () => {
    const [base = "", file = ""] = [path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1)];
    const signature = file.split(".")[0] ?? "";
    for (let index = 0; index < signature.length; index++) {
      const changed = signature.slice(0, index) + (signature[index] === "A" ? "B" : "A") + signature.slice(index + 1);
      const answer = await get({ range: "bytes=0-0" }, "GET", `${base}${changed}.mp4`);
      expect([answer.status, await answer.json()]).toEqual([404, { statusCode: 404, message: "media not found" }]);
    }
  });

  it("refuses another session's id in the path, and one that is no id", async () => {
    expect((await get({}, "GET", path.replace(caller.credentials.id, newSessionId(Date.now())))).status).toBe(404);
    const answer = await get({}, "GET", path.replace(caller.credentials.id, "1"));
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message: "platformId must be a database id" }]);
  });
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
    nextCold += 40;
    const before = await parts();
    const socket = connect(Number(new URL(gateway.telegram[0] ?? "").port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nRange: bytes=${start}-${start + 40 * chunkBytes - 1}\r\n\r\n`);
    await once(socket, "data");
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const atRest = await parts();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await parts()).toBe(atRest);
    expect(atRest - before).toBeLessThan(20);
  });
});

describe("when the platform does not deliver", () => {
  it("passes a wait on: 503 with Retry-After", async () => {
    await fault({ method: "upload.getFile", kind: "flood-wait", seconds: 77, times: 5 });
    const answer = await get({ range: `bytes=${cold()}-` });
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([503, "77", { statusCode: 503, message: "telegram asked to wait 77s" }]);
  }, 60_000);

  it("gives up after 30 s: 503 with Retry-After", async () => {
    await fault({ method: "upload.getFile", kind: "stall", seconds: 60, times: 10 });
    const startedAt = performance.now();
    const answer = await get({ range: `bytes=${cold()}-` });
    expect([answer.status, await answer.json()]).toEqual([503, { statusCode: 503, message: "telegram did not answer the media request in time" }]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((performance.now() - startedAt) / 1000).toBeLessThan(35);
  }, 60_000);

  it("serves cached chunks of a disconnected session, and nothing else", async () => {
    const cached = { range: `bytes=0-${2 * chunkBytes - 1}` };
    await bytesOf(await get(cached));
    await fault({ kind: "drop", times: 1 });
    await caller.phone("/faults", { platform: "telegram", kind: "refuse", seconds: 8 });
    await eventually("disconnected", async () => !(await caller.record()).isConnected, 15_000);
    expect((await bytesOf(await get(cached))).equals(syntheticBytes(fileId, 0, 2 * chunkBytes))).toBe(true);
    const answer = await get({ range: `bytes=${cold()}-` });
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "session not connected" }]);
    await sandbox("/faults", "DELETE");
    await eventually("connected again", async () => (await caller.record()).isConnected, 60_000);
  }, 90_000);
});
