import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chunkLength } from "../../../../router/media/chunk.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import type { MediaAddress, ReadChunkInput } from "../../../../shared/contract/media.js";
import type { FileFacts } from "../../../../shared/media/file-facts.js";
import * as errors from "../../../../shared/contract/whatsapp/errors.js";
import { chunkBytes } from "../../../../shared/limits.js";
import { describeFile } from "../../../../shared/media/file-description.js";
import { anAccount, aSession } from "../support.js";
import { ApiUnderTest } from "./api-under-test.js";

const size = 2 * chunkBytes + 321;
const file = randomBytes(size);
const address: MediaAddress = { chatId: "120363000000000001@g.us", messageId: "3EB0C431C26A1916E07A", variant: "file" };
const facts: FileFacts = {
  kind: "video",
  length: size,
  directPath: "/v/t62/1.enc?ccb=11-4",
  mediaKey: randomBytes(32),
  encryptedHash: randomBytes(32),
  plainHash: randomBytes(32),
  sidecar: randomBytes(170),
  mimetype: "video/mp4",
  name: "",
  author: "1@lid",
  fromMe: false,
};

let api: ApiUnderTest;
let path: string;
/** Every request that reached the shard. */
let fetched: ReadChunkInput[];

beforeEach(async () => {
  api = new ApiUnderTest();
  fetched = [];
  path = api.links.seal(api.id, address, "mp4", facts) ?? "";
  api.answers = { "read-chunk": (input) => readChunk(input as ReadChunkInput) };
  await api.start();
});
afterEach(() => api.app.stop(0));

/** Acts as the shard: stores the chunk in the cache and returns a receipt. */
function readChunk(input: ReadChunkInput): { length: number } {
  const { fileKey, chunk, variant } = input;
  fetched.push(input);
  const bytes = variant === "thumb" ? file.subarray(0, 777) : file.subarray(chunk * chunkBytes).subarray(0, chunkLength(size, chunk));
  api.chunks.set(`${fileKey}:${chunk}`, bytes);
  return { length: bytes.length };
}

const get = (headers: Record<string, string> = {}, method = "GET", at = path): Promise<Response> =>
  fetch(api.base + at, { method, headers });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const { etag, fileKey } = describeFile(facts, size);

describe("GET media of WhatsApp", () => {
  it("sends the whole file with the headers of the facts in its link", async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": String(size),
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=86400",
      "content-disposition": "inline",
      etag: `"${etag}"`,
    });
    expect((await bytesOf(answer)).equals(file)).toBe(true);
    expect(fetched.map(({ chunk, length }) => [chunk, length])).toEqual([0, 1, 2].map((chunk) => [chunk, chunkLength(size, chunk)]));
  });

  it("gives the shard the sealed text and none of the facts", async () => {
    await bytesOf(await get({ range: "bytes=0-1" }));
    const sealed = path.split("/").at(-1);
    expect(fetched).toEqual([{ ...address, sealed, fileKey, etag, chunk: 0, length: chunkBytes }]);
  });

  it.each([
    ["bytes=0-0", 0, 0],
    [`bytes=${chunkBytes - 1}-${chunkBytes}`, chunkBytes - 1, chunkBytes],
    ["bytes=-21", size - 21, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
  ])("sends %s", async (range, start, end) => {
    const answer = await get({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(`bytes ${start}-${end}/${size}`);
    expect((await bytesOf(answer)).equals(file.subarray(start, end + 1))).toBe(true);
  });

  it("reads a chat whose `@` is encoded", async () => {
    expect((await get({ range: "bytes=0-0" }, "GET", path.replace("@", "%40"))).status).toBe(206);
    expect((await get({}, "GET", path.replace("@", "%2540"))).status).toBe(404);
  });

  it("answers HEAD, conditions and ranges outside without the shard", async () => {
    const head = await get({}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(size)]);
    expect((await get({ "if-none-match": `"${etag}"` })).status).toBe(304);
    const outside = await get({ range: `bytes=${size}-` });
    expect([outside.status, outside.headers.get("content-range"), await outside.json()]).toEqual([
      416,
      `bytes */${size}`,
      { statusCode: 416, message: "range not satisfiable" },
    ]);
    expect(fetched).toEqual([]);
  });

  it("serves a repeated request from memory, and after a change of the session anew", async () => {
    await bytesOf(await get({ range: "bytes=0-9" }));
    expect((await bytesOf(await get({ range: "bytes=10-19" }))).equals(file.subarray(10, 20))).toBe(true);
    expect(fetched).toHaveLength(1);
    api.session = undefined;
    expect((await get()).status).toBe(404);
  });

  it("asks the shard for the length of a thumbnail, once", async () => {
    const thumb = { ...facts, kind: "thumbnail-video", length: 0, mimetype: "image/jpeg", sidecar: Buffer.alloc(0) } as const;
    const at = api.links.seal(api.id, { ...address, variant: "thumb" }, "jpg", thumb);
    for (const range of ["bytes=0-", "bytes=100-199"]) expect((await bytesOf(await get({ range }, "GET", at))).length).toBeGreaterThan(99);
    expect(fetched.map(({ chunk, length }) => [chunk, length])).toEqual([[0, undefined]]);
    const whole = await get({}, "GET", at);
    expect([whole.headers.get("content-length"), whole.headers.get("content-type")]).toEqual(["777", "image/jpeg"]);
  });

  it("answers altered links as Telegram's: 400 for the session id, else 404", async () => {
    const parts = path.split("/");
    const changed = async (index: number, part: string): Promise<[number, unknown]> => {
      const answer = await get({}, "GET", parts.with(index, part).join("/"));
      return [answer.status, await answer.json()];
    };
    const notFound = [404, { statusCode: 404, message: "media not found" }];
    expect(await changed(2, "x")).toEqual([400, { statusCode: 400, message: "platformId must be a database id" }]);
    expect(await changed(2, newSessionId(Date.now()))).toEqual(notFound);
    expect(await changed(3, "120363000000000002@g.us")).toEqual(notFound);
    expect(await changed(4, "3EB0C431C26A1916E07B")).toEqual(notFound);
    expect(await changed(5, "thumb")).toEqual(notFound);
    expect(await changed(6, `${parts[6]?.slice(0, -5)}A.mp4`)).toEqual(notFound);
    expect(await changed(6, (parts[6] ?? "").replace("mp4", "jpg"))).toEqual(notFound);
    expect(await changed(6, "x")).toEqual(notFound);
    expect(fetched).toEqual([]);
  });

  it("is 500 while the session is not connected and a chunk is missing, 200 when all are cached", async () => {
    api.session = aSession({ ...api.session, active: false, state: { kind: "disconnected", account: anAccount, elapsedMs: 0 } });
    const missing = await get();
    expect([missing.status, await missing.json()]).toEqual([500, { statusCode: 500, message: "session not connected" }]);
    for (const chunk of [0, 1, 2])
      api.chunks.set(`${fileKey}:${chunk}`, file.subarray(chunk * chunkBytes).subarray(0, chunkLength(size, chunk)));
    expect((await bytesOf(await get())).equals(file)).toBe(true);
  });

  it.each([
    [errors.mediaNotFound(), 404, "media not found", null],
    [errors.mediaTimeout(), 503, "whatsapp did not answer the media request in time", "5"],
    [errors.askedToWait(7), 503, "whatsapp asked to wait 7s", "7"],
  ])("passes on the shard's %s", async (error, status, message, wait) => {
    api.answers = {
      "read-chunk": () => {
        throw error;
      },
    };
    const answer = await get();
    expect([answer.status, await answer.json(), answer.headers.get("retry-after")]).toEqual([
      status,
      { statusCode: status, message },
      wait,
    ]);
  });
});
