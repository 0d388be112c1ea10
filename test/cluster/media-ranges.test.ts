import { createHash, randomBytes, randomInt } from "node:crypto";
import { Agent } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chunkBytes } from "../../shared/limits.js";
import { LinkKeys } from "../../shared/media/link.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { Draw } from "../harness/draw.js";
import { channelFile, sentFile, type LinkedFile } from "../harness/media-files.js";
import { expectedResponse, type ExpectedResponse, type HeaderLines } from "../harness/media-reference.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { RawClient } from "../harness/raw-client.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { callWire, type WireResponse } from "../harness/wire.js";

/**
 * Sends 4,000 random range requests through two routers and compares status, headers and every byte with a reference. `RANGE_SEED` repeats
 * a failed run.
 */
const requests = 4_000;
/** A session may have 16 streams on each router. A closed stream counts until the router notices the close. */
const clientsPerRouter = 5;
const seed = Number(process.env["RANGE_SEED"] ?? randomInt(2 ** 32));
const keyText = `a:${randomBytes(32).toString("base64")}`;
/** A response up to this length is read whole. Of a longer one only the beginning is read. */
const readWholeBytes = 3 * chunkBytes;
const sizes = [0, 1, 1_000, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 5 * chunkBytes + 4_321];
const [video64, video1500] = [64 * 2 ** 20, 1.5 * 2 ** 30];

let gateway: TestCluster;
let platform: TelegramSide;
let alice: Caller;
let files: LinkedFile[];

beforeAll(async () => {
  // Memory is small, so that chunks are evicted, their memory is reused, and they return from Redis.
  gateway = await startCluster({ routers: 2, shards: 2, env: { MEDIA_KEYS: keyText, CHUNK_MEMORY_MIB: "2" } });
  platform = new TelegramSide(gateway);
  const keys = LinkKeys.parse(keyText);
  alice = await loggedIn(gateway, "alice");
  const small = await Promise.all(sizes.map((size, i) => sentFile(platform, keys, alice, "alice", size, 1 + (i % 3))));
  files = [
    ...small,
    await channelFile(platform, keys, alice, video64),
    await channelFile(platform, keys, alice, video1500),
    await photo(keys, alice),
  ];
});
afterAll(() => gateway.stop());

/** A file whose bytes follow no formula. It is read whole once, and its digest must match the platform's. */
async function photo(keys: LinkKeys, caller: Caller): Promise<LinkedFile> {
  const doc = await platform.media(({ kind }) => kind === "photo");
  const file = await channelFile(platform, keys, caller, Number(doc["size"]), "photo");
  const { body } = await callWire(gateway.telegram[0] ?? "", file.path);
  expect(createHash("sha256").update(body).digest("hex")).toBe(doc["sha256"]);
  return { ...file, bytes: (offset, length) => body.subarray(offset, offset + length) };
}

it(`${requests} random requests have the reference's answers (RANGE_SEED=${seed})`, async () => {
  const draw = new Draw(seed);
  const plan = Array.from({ length: requests }, () => aRequest(draw));
  const before = await platform.calls("upload.getFile");
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  let next = 0;
  const client = async (base: string, agent: Agent): Promise<void> => {
    for (let one = plan[next++]; one !== undefined && wrong.length < 5; one = plan[next++]) {
      const { file, method, lines } = one;
      const expected = expectedResponse(file, method, lines);
      const long = expected.body.kind === "bytes" && expected.body.length > readWholeBytes;
      const response = await callWire(base, file.path, { method, headers: lines, agent, ...(long && { takeBytes: one.takeBytes }) });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const difference = differenceOf(response, expected, method, file, long ? one.takeBytes : undefined);
      if (difference !== undefined) wrong.push(`${method} of ${file.size} bytes with ${JSON.stringify(lines)}: ${difference}`);
    }
  };
  const resting = gateway.telegram.flatMap((base) => [0, 1, 2].map((n) => readSlowly(base, n * 40 * chunkBytes, wrong)));
  await Promise.all(
    gateway.telegram.map(async (base) => {
      const agent = new Agent({ keepAlive: true, maxSockets: clientsPerRouter });
      await Promise.all(Array.from({ length: clientsPerRouter }, () => client(base, agent)));
      agent.destroy();
    }),
  );
  await Promise.all(resting);
  expect(wrong).toEqual([]);
  // The run covered every status, every level of the cache and both routers.
  expect([...statuses.keys()].sort((a, b) => a - b)).toEqual([200, 206, 304, 416]);
  expect((await platform.calls("upload.getFile")) - before).toBeGreaterThan(100);
  for (const router of [0, 1]) {
    const metrics = await scrape(gateway.adminPorts[router] ?? 0);
    for (const source of ["memory", "redis", "shard"])
      expect([router, source, metricOf(metrics, "gateway_router_media_chunks_total", `source="${source}"`)]).toEqual([
        router,
        source,
        expect.toSatisfy((count: number) => count > 50),
      ]);
  }
});

/** A client that pauses repeatedly while the router holds its next chunk. */
async function readSlowly(base: string, from: number, wrong: string[]): Promise<void> {
  const film = files.find(({ size }) => size === video64);
  if (film === undefined) throw new Error("no film");
  const length = 40 * chunkBytes;
  const one = (await RawClient.open(base)).send(film.path, [`Range: bytes=${from}-${from + length - 1}`]);
  await one.head();
  for (let taken = 0; taken < length && wrong.length === 0; taken += 128 * 1024) {
    const bytes = await one.read(128 * 1024);
    if (!bytes.equals(film.bytes(from + taken, 128 * 1024)))
      wrong.push(`other bytes than ${from + taken}+${128 * 1024} of the film, read slowly`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  one.close();
}

it("a cold chunk that 32 clients want at two routers at once is fetched once", async () => {
  const keys = LinkKeys.parse(keyText);
  const fresh = await sentFile(platform, keys, alice, "alice", 3 * chunkBytes);
  const before = await platform.calls("upload.getFile");
  const responses = await Promise.all(
    gateway.telegram.flatMap((base) =>
      Array.from({ length: 16 }, (_, i) =>
        callWire(base, fresh.path, { headers: { range: `bytes=${chunkBytes + i}-${chunkBytes + i + 99}` } }),
      ),
    ),
  );
  responses.forEach(({ status, body }, i) => expect([status, body.equals(fresh.bytes(chunkBytes + (i % 16), 100))]).toEqual([206, true]));
  expect((await platform.calls("upload.getFile")) - before).toBe(1);
});

/** Returns the difference to the reference as a sentence. */
function differenceOf(
  response: WireResponse,
  { status, headers, body }: ExpectedResponse,
  method: string,
  file: LinkedFile,
  takeBytes: number | undefined,
): string | undefined {
  if (response.status !== status) return `status ${response.status} instead of ${status}: ${response.body.subarray(0, 200).toString()}`;
  // The id differs in each response.
  const requestId = response.headers.get("x-request-id")?.join(" | ") ?? "";
  if (!/^[0-9a-f]{32}$/.test(requestId)) return `x-request-id: ${requestId}`;
  const got = Object.fromEntries(
    [...response.headers]
      .filter(([name]) => !["date", "connection", "keep-alive", "x-request-id"].includes(name))
      .map(([name, values]) => [name, values.join(" | ")]),
  );
  const names = new Set([...Object.keys(got), ...Object.keys(headers)]);
  for (const name of names) if (got[name] !== headers[name]) return `${name}: ${got[name]} instead of ${headers[name]}`;
  if (body.kind === "error")
    return response.body.toString() === JSON.stringify({ statusCode: status, message: body.message })
      ? undefined
      : `body ${response.body.toString()}`;
  const length = method === "HEAD" ? 0 : Math.min(body.length, takeBytes ?? Infinity);
  if (response.body.length !== length) return `${response.body.length} bytes instead of ${length}`;
  if (takeBytes === undefined && !response.whole) return "the connection ended early";
  return response.body.equals(file.bytes(body.offset, length)) ? undefined : `other bytes than ${body.offset}+${length} of the file`;
}

interface Planned {
  file: LinkedFile;
  method: "GET" | "HEAD";
  lines: HeaderLines;
  takeBytes: number;
}

function aRequest(draw: Draw): Planned {
  const file = draw.of(draw.chance(0.5) ? files.slice(-3) : files);
  const range = draw.chance(0.03) ? undefined : draw.chance(0.12) ? brokenRanges(draw, file.size) : [goodRange(draw, file.size)];
  const lines: Record<string, readonly string[]> = {};
  if (range !== undefined) lines["range"] = range;
  if (draw.chance(0.1))
    lines["if-range"] = draw.of([
      [file.etag],
      [file.etag],
      [`W/${file.etag}`],
      ['"other"'],
      ["Sat, 21 Nov 2026 08:00:00 GMT"],
      [file.etag, file.etag],
    ]);
  if (draw.chance(0.06))
    lines["if-none-match"] = draw.of([
      [file.etag],
      [`W/${file.etag}`],
      ["*"],
      ['"other"'],
      [`"other", ${file.etag}`],
      ['"other"', file.etag],
      [file.etag.slice(1, -1)],
    ]);
  return { file, method: draw.chance(0.05) ? "HEAD" : "GET", lines, takeBytes: draw.below(96 * 1024) + 1 };
}

/** Returns a range that is served or rejected: closed, open, suffix, across a chunk's end, or beyond the file's end. */
function goodRange(draw: Draw, size: number): string {
  const first = position(draw, size);
  const length = draw.chance(0.02) ? draw.below(readWholeBytes) : draw.chance(0.2) ? draw.below(65_536) : draw.below(3_000);
  const unit = draw.chance(0.05) ? draw.of(["Bytes", "BYTES", "bYtEs"]) : "bytes";
  const zeros = draw.chance(0.03) ? "000" : "";
  const kind = draw.below(100);
  if (kind < 60) return `${unit}=${zeros}${first}-${zeros}${first + length}`;
  if (kind < 68) return `${unit}=${first}-${first}`;
  if (kind < 76) return `${unit}=${Math.max(0, size - 1 - draw.below(70_000))}-`;
  if (kind < 78) return `${unit}=${first}-`;
  if (kind < 88) return `${unit}=-${zeros}${draw.chance(0.1) ? 0 : 1 + draw.below(70_000)}`;
  if (kind < 90) return `${unit}=-${size + draw.below(3)}`;
  if (kind < 94) return `${unit}=${Math.max(0, size - 2)}-${size + draw.below(1_000)}`;
  if (kind < 97) return `${unit}=${size + draw.below(3)}-${draw.chance(0.5) ? "" : size + 10}`;
  return draw.of([
    `${unit}=${first}-9999999999999999999`,
    `${unit}=-9999999999999999999`,
    `${unit}=9999999999999999998-9999999999999999999`,
  ]);
}

/** Returns ranges that count as absent. */
function brokenRanges(draw: Draw, size: number): readonly string[] {
  const first = position(draw, size);
  const good = `bytes=${first}-${first + 10}`;
  return draw.of([
    [`bytes=${first + 1}-${first}`],
    ["bytes=9999999999999999999-9999999999999999998"],
    [`bytes=${first}-${"1".padEnd(20, "0")}`],
    [`bytes=${"1".padEnd(20, "0")}-`],
    [`bytes=-${"0".repeat(20)}1`],
    [`bytes=${"0".repeat(200)}${first}-`],
    [`${good},${first + 20}-${first + 30}`],
    [`${good},`],
    [`items=${first}-${first + 10}`],
    [`bytes ${first}-${first + 10}`],
    [`bytes= ${first}-${first + 10}`],
    [`bytes=${first} - ${first + 10}`],
    [`bytes=+${first}-${first + 10}`],
    [`bytes=0x${first.toString(16)}-`],
    [`bytes=${first}.0-${first + 10}`],
    [`bytes=1e3-`],
    [`bytes=-${first}-${first + 10}`],
    [`bytes==${first}-`],
    ["bytes=-"],
    ["bytes="],
    ["bytes"],
    ["="],
    [good, good],
    [mutated(draw, good)],
  ]);
}

/** Replaces one character of a good range. The reference decides the expected result. */
function mutated(draw: Draw, text: string): string {
  const at = draw.below(text.length);
  return text.slice(0, at) + String.fromCharCode(33 + draw.below(94)) + text.slice(at + 1);
}

/**
 * Returns a position, in two of five cases near the end of a chunk or of the file. Large files use a few hundred chunks, some of them
 * often.
 */
function position(draw: Draw, size: number): number {
  const chunks = Math.max(1, Math.ceil(size / chunkBytes));
  const chunk = chunks > 200 ? (draw.chance(0.5) ? draw.below(12) : draw.below(150)) * Math.floor(chunks / 150) : draw.below(chunks);
  const from = chunk * chunkBytes;
  const at = draw.chance(0.4) ? from + draw.of([-2, -1, 0, 1, chunkBytes - 2, chunkBytes - 1]) : from + draw.below(chunkBytes);
  return Math.max(0, Math.min(at, size + 1));
}
