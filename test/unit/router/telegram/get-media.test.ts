import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ending } from "../../../../shared/flow/ending.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import * as errors from "../../../../shared/contract/telegram/errors.js";
import type { MediaAddress, MediaDescription, ReadChunkInput } from "../../../../shared/contract/media.js";
import { chunkBytes } from "../../../../shared/limits.js";
import { chunkLength } from "../../../../router/media/chunk.js";
import type { SessionState } from "../../../../shared/session/state.js";
import { accountSequence } from "../../../../shared/media/message-media.js";
import type { PacedBytes } from "../../../../router/media/media-bytes.js";
import { cachedMs } from "../../../../router/media/media-memory.js";
import { anAccount, aSession, openSocket, pause, until } from "../support.js";
import { ApiUnderTest, unpaced } from "./api-under-test.js";

const size = 6 * chunkBytes + 4321;
const file = randomBytes(size);
const address: MediaAddress = { chatId: "-100123", messageId: "42", variant: "file" };
const description: MediaDescription = {
  size,
  mimetype: "video/mp4",
  etag: "v1",
  fileKey: "0123456789abcdef0123456789abcdef",
  name: "film.mp4",
};

let api: ApiUnderTest;
let path: string;
/** Every chunk that the shard fetched. */
let fetched: number[];
/** While set, chunks wait for this promise. */
let gate: Promise<void> | undefined;

async function start(options: Parameters<ApiUnderTest["start"]>[0] = {}): Promise<void> {
  await api.start(options);
}

beforeEach(() => {
  api = new ApiUnderTest();
  fetched = [];
  gate = undefined;
  path = api.links.sign(api.id, address, "mp4");
  api.answers = { "describe-media": () => description, "read-chunk": (input, _, signal) => readChunk(input as ReadChunkInput, signal) };
});
afterEach(async () => {
  await api.app.stop(0);
});

/** Acts as the shard: stores the chunk in the cache and returns a receipt. */
async function readChunk({ fileKey, chunk }: ReadChunkInput, signal: Ending | undefined): Promise<{ length: number }> {
  fetched.push(chunk);
  if (gate !== undefined)
    await Promise.race([gate, new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))))]);
  const length = chunkLength(size, chunk);
  api.chunks.set(`${fileKey}:${chunk}`, file.subarray(chunk * chunkBytes, chunk * chunkBytes + length));
  return { length };
}

const get = (headers: Record<string, string> = {}, method = "GET"): Promise<Response> => fetch(api.base + path, { method, headers });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

describe("GET media", () => {
  it("sends the whole file with its headers, without credentials", async () => {
    await start();
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": String(size),
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=86400",
      etag: '"v1"',
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-disposition": 'inline; filename="film.mp4"',
    });
    expect(answer.headers.has("content-range")).toBe(false);
    expect((await bytesOf(answer)).equals(file)).toBe(true);
    expect(fetched).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it.each<[string, number, number, number[]]>([
    ["bytes=0-0", 0, 0, [0]],
    [`bytes=${chunkBytes - 1}-${chunkBytes}`, chunkBytes - 1, chunkBytes, [0, 1]],
    [`bytes=${chunkBytes}-${2 * chunkBytes - 1}`, chunkBytes, 2 * chunkBytes - 1, [1]],
    ["bytes=-10", size - 10, size - 1, [6]],
    [`bytes=${size - 1}-`, size - 1, size - 1, [6]],
    [`bytes=5-${size + 100}`, 5, size - 1, [0, 1, 2, 3, 4, 5, 6]],
  ])("%s: 206 with the bytes, and only the touched chunks are fetched", async (range, from, to, chunks) => {
    await start();
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-range"), answer.headers.get("content-length")]).toEqual([
      206,
      `bytes ${from}-${to}/${size}`,
      String(to - from + 1),
    ]);
    expect((await bytesOf(answer)).equals(file.subarray(from, to + 1))).toBe(true);
    expect(fetched).toEqual(chunks);
  });

  it("equals the file for 300 random ranges", async () => {
    await start();
    for (let round = 0; round < 300; round++) {
      const from = Math.floor(Math.random() * size);
      const to = Math.min(size - 1, from + Math.floor(Math.random() * (round % 20 === 0 ? size : 20_000)));
      const answer = await get({ range: `bytes=${from}-${to}` });
      expect((await bytesOf(answer)).equals(file.subarray(from, to + 1)), `${from}-${to}`).toBe(true);
    }
    expect(new Set(fetched).size).toBe(fetched.length);
  });

  it.each([`bytes=${size}-`, `bytes=${size}-${size + 5}`, "bytes=-0"])("%s: 416", async (range) => {
    await start();
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-range"), await answer.json()]).toEqual([
      416,
      `bytes */${size}`,
      { statusCode: 416, message: "range not satisfiable" },
    ]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(fetched).toEqual([]);
  });

  it.each(["bytes=5-1", "bytes=a-b", "items=0-5", "bytes=0-1,3-4"])("%s: 200, whole", async (range) => {
    await start();
    const answer = await get({ range });
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, String(size)]);
    await answer.body?.cancel();
  });

  it("honours If-Range and If-None-Match", async () => {
    await start();
    const range = "bytes=0-9";
    expect((await get({ range, "if-range": '"v1"' })).status).toBe(206);
    const other = await get({ range, "if-range": '"v0"' });
    expect(other.status).toBe(200);
    await other.body?.cancel();
    const fresh = await get({ range, "if-none-match": '"v1"' });
    expect([fresh.status, await fresh.text(), fresh.headers.get("etag"), fresh.headers.get("cache-control")]).toEqual([
      304,
      "",
      '"v1"',
      "public, max-age=86400",
    ]);
    expect((await get({ range, "if-none-match": '"v0"' })).status).toBe(206);
  });

  it("responds to HEAD with the whole length, whatever the range, and fetches nothing", async () => {
    await start();
    for (let round = 0; round < 3; round++) {
      const answer = await get({ range: "bytes=0-9" }, "HEAD");
      expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, String(size), ""]);
    }
    expect(fetched).toEqual([]);
  });

  it("responds with an empty file", async () => {
    api.answers["describe-media"] = () => ({ ...description, size: 0 });
    await start();
    const answer = await get();
    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "0", ""]);
    expect((await get({ range: "bytes=0-0" })).status).toBe(416);
  });
});

describe("links", () => {
  const reply = async (changed: string): Promise<unknown> => {
    const answer = await fetch(api.base + changed);
    return [answer.status, await answer.json()];
  };

  it.each(["x", "0123456789ABCDEF01234567", "0123456789abcdef0123456", "%30123456789abcdef01234567"])(
    "a session id of the wrong shape: 400 (%s)",
    async (id) => {
      await start();
      expect(await reply(path.replace(api.id, id))).toEqual([400, { statusCode: 400, message: "platformId must be a database id" }]);
    },
  );

  it("anything else that was changed: 404 media not found, before the session is read", async () => {
    await start();
    const parts = path.split("/");
    for (let index = 2; index < parts.length; index++) {
      const part = parts[index] ?? "";
      for (const changed of [
        `${part}0`,
        part.slice(0, -1) + (part.endsWith("a") ? "b" : "a"),
        part.toUpperCase() === part ? `${part}x` : part.toUpperCase(),
      ]) {
        if (index === 2 && !/^[0-9a-f]{24}$/.test(changed)) continue;
        expect(await reply(parts.with(index, changed).join("/")), changed).toEqual([404, { statusCode: 404, message: "media not found" }]);
      }
    }
    for (const changed of [
      path.replace(".mp4", ".jpg"),
      path.replace(".mp4", ""),
      path.replace(".mp4", ".mp4.mp4"),
      path.replace(api.id, newSessionId(Date.now())),
      path.replace("-100123", "%2D100123"),
    ]) {
      expect(await reply(changed), changed).toEqual([404, { statusCode: 404, message: "media not found" }]);
    }
    expect(api.calls).toEqual([]);
  });

  it.each(["/", "/x"])("a longer path: 404 (%s)", async (tail) => {
    await start();
    expect((await fetch(api.base + path + tail)).status).toBe(404);
  });

  it("ignores a query", async () => {
    await start();
    const answer = await fetch(`${api.base}${path}?token=1`, { headers: { range: "bytes=0-0" } });
    expect(answer.status).toBe(206);
  });
});

describe("errors", () => {
  it.each<[string, Error, number, string, string | null]>([
    ["deleted", errors.mediaNotFound(), 404, "media not found", null],
    ["flood wait", errors.askedToWait(33), 503, "telegram asked to wait 33s", "33"],
    ["no answer", errors.mediaTimeout(), 503, "telegram did not answer the media request in time", "5"],
    ["lost connection", errors.sessionNotConnected(), 500, "session not connected", null],
    ["bug", new Error("oops"), 500, "internal server error", null],
  ])("of the description and of the first chunk are proper statuses: %s", async (_, error, status, message, retryAfter) => {
    await start();
    for (const command of ["describe-media", "read-chunk"] as const) {
      const before = { ...api.answers };
      api.answers[command] = () => {
        throw error;
      };
      const answer = await get();
      expect([answer.status, await answer.json(), answer.headers.get("retry-after")]).toEqual([
        status,
        { statusCode: status, message },
        retryAfter,
      ]);
      api.answers = before;
    }
    expect(api.metrics.mediaStreams).toBe(0);
  });

  it("closes the connection when a later chunk fails", async () => {
    await start();
    api.answers["read-chunk"] = (input, _, signal) =>
      (input as ReadChunkInput).chunk < 3 ? readChunk(input as ReadChunkInput, signal) : Promise.reject(errors.mediaTimeout());
    const answer = await get();
    expect(answer.status).toBe(200);
    await expect(bytesOf(answer)).rejects.toThrow();
    await until(() => api.metrics.mediaStreams === 0);
    expect(api.metrics.streams.at(-1)?.end).toBe("failed");
  });

  it("closes the connection when the file changes midway", async () => {
    await start();
    api.answers["read-chunk"] = (input, _, signal) =>
      (input as ReadChunkInput).chunk < 2 ? readChunk(input as ReadChunkInput, signal) : { length: 17 };
    await expect(bytesOf(await get())).rejects.toThrow();
  });

  it("describes a file anew when what the cache says of it is out of date", async () => {
    api.descriptions.set(`${api.id}:42`, {
      ...description,
      size: size + 10 * chunkBytes,
      etag: "v0",
      fileKey: "ffffffffffffffffffffffffffffffff",
    });
    await start();
    const answer = await get({ range: `bytes=${6 * chunkBytes}-` });
    expect([answer.status, answer.headers.get("etag")]).toEqual([206, '"v1"']);
    expect((await bytesOf(answer)).equals(file.subarray(6 * chunkBytes))).toBe(true);
  });

  it("checks again after five minutes whether the message still exists", async () => {
    await start();
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
    api.answers["describe-media"] = () => Promise.reject(errors.mediaNotFound());
    api.descriptionAgeMs = 5 * 60_000 - 1;
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
    api.descriptionAgeMs = 5 * 60_000;
    expect((await get({ range: "bytes=0-1" })).status).toBe(404);
    api.descriptionAgeMs = 0;
    expect((await get({ range: "bytes=0-1" })).status).toBe(404);
  });

  it("checks again after one minute in a channel, whose deletions may go unreported, and after five in a chat", async () => {
    const inChannel: MediaAddress = { ...address, chatId: "-1001234567890" };
    const link = (one: MediaAddress): Promise<Response> =>
      fetch(`${api.base}${api.links.sign(api.id, one, "mp4")}`, { headers: { range: "bytes=0-1" } });
    await start();
    expect((await link(inChannel)).status).toBe(206);
    api.answers["describe-media"] = () => Promise.reject(errors.mediaNotFound());
    api.descriptionAgeMs = 60_000 - 1;
    expect((await link(inChannel)).status).toBe(206);
    api.descriptionAgeMs = 60_000;
    expect((await link({ ...address, messageId: "43" })).status).toBe(404);
    api.descriptions.set(`${api.id}:43`, description);
    expect((await link({ ...address, messageId: "43" })).status).toBe(206);
    expect((await link(inChannel)).status).toBe(404);
  });

  it("serves the cached description while the shard cannot check it", async () => {
    await start();
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
    api.answers["describe-media"] = () => Promise.reject(errors.askedToWait(30));
    api.descriptionAgeMs = 10 * 60_000;
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
  });

  it("serves without the cache of descriptions, but not without the cache of chunks", async () => {
    await start({ memoryBytes: 0 });
    api.cacheFails = true;
    expect((await get({}, "HEAD")).status).toBe(200);
    expect((await get()).status).toBe(503);
    api.cacheFails = false;
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
  });

  it("knows no media of a session that is gone", async () => {
    await start();
    api.session = undefined;
    expect(await (await get()).json()).toEqual({ statusCode: 404, message: "media not found" });
  });
});

describe("a message that the platform says is deleted", () => {
  const told = (ids: readonly string[] = ["42"], sequence = accountSequence): void =>
    api.tellDeleted({ session: api.id, account: "77" }, { sequence, ids });
  const notFound = { statusCode: 404, message: "media not found" };

  it("has no links any more from that moment on, whatever is cached", async () => {
    await start();
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
    told(["41", "42"]);
    const answer = await get({ range: "bytes=0-1" });
    expect([answer.status, await answer.json()]).toEqual([404, notFound]);
    expect((await get({ "if-none-match": '"v1"' })).status).toBe(404);
    api.pass(60_000);
    expect((await get({}, "HEAD")).status).toBe(404);
  });

  it("takes no other message's links with it", async () => {
    await start();
    told(["41"]);
    told(["42"], "-1001234567890");
    api.tellDeleted({ session: newSessionId(Date.now()), account: "77" }, { sequence: accountSequence, ids: ["42"] });
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
  });

  it("leaves the next account's message of the same number alone", async () => {
    await start();
    told();
    expect((await get({ range: "bytes=0-1" })).status).toBe(404);
    api.session = aSession({ ...api.session, lastAccount: "78" });
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
  });

  it("does not return with a description that was in flight", async () => {
    await start();
    let describe = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      api.answers["describe-media"] = () =>
        new Promise((answer) => {
          describe = () => answer(description);
          resolve();
        });
    });
    const answer = get({ range: "bytes=0-1" });
    await asked;
    told();
    describe();
    expect((await answer).status).toBe(404);
    expect(api.descriptions.size).toBe(0);
  });
});

it("a message that the platform says is edited has its new file from that moment on, by the same link", async () => {
  await start();
  const etag = async (): Promise<string | null> => (await get({ range: "bytes=0-1" })).headers.get("etag");
  expect([await etag(), await etag()]).toEqual(['"v1"', '"v1"']);
  api.answers["describe-media"] = () => ({ ...description, etag: "v2" });
  api.descriptions.clear();
  expect(await etag()).toBe('"v1"');
  api.tellEdited({ session: api.id, account: "77" }, { sequence: accountSequence, ids: ["42"] });
  expect(await etag()).toBe('"v2"');
});

describe("a session without a login", () => {
  it.each<[string, SessionState]>([
    ["that was logged out", { kind: "awaiting-qr", qr: "", elapsedMs: 0 }],
    ["that waits for its password", { kind: "awaiting-password", hint: "", elapsedMs: 0 }],
  ])("%s serves nothing of what is cached", async (_, state) => {
    await start();
    expect((await get({ range: "bytes=0-1" })).status).toBe(206);
    api.session = aSession({ ...api.session, state });
    const requests: Record<string, string>[] = [{ range: "bytes=0-1" }, { "if-none-match": '"v1"' }];
    for (const headers of requests) {
      const answer = await get(headers);
      expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "session not connected" }]);
    }
  });
});

describe("a session without a connection", () => {
  const disconnect = (): void => {
    api.session = aSession({ ...api.session, state: { kind: "disconnected", account: anAccount, elapsedMs: 0 } });
    // The shard waits for a connection that may come, and then rejects the request.
    for (const command of ["describe-media", "read-chunk"] as const)
      api.answers[command] = () => Promise.reject(errors.sessionNotConnected());
  };
  const refused = [500, { statusCode: 500, message: "session not connected" }];

  it.each([64 * 1024 * 1024, 0])("serves what is cached and nothing else (%i bytes of memory)", async (memoryBytes) => {
    await start({ memoryBytes });
    await bytesOf(await get({ range: `bytes=0-${2 * chunkBytes - 1}` }));
    disconnect();
    const cached = await get({ range: `bytes=100-${2 * chunkBytes - 1}` });
    expect(cached.status).toBe(206);
    expect((await bytesOf(cached)).equals(file.subarray(100, 2 * chunkBytes))).toBe(true);
    for (const range of [`bytes=100-${2 * chunkBytes}`, "bytes=-1", "bytes=0-"]) {
      const answer = await get({ range });
      expect([answer.status, await answer.json()]).toEqual(refused);
    }
    expect((await get({}, "HEAD")).status).toBe(200);
    expect((await get({ range: `bytes=${size}-` })).status).toBe(416);
    expect(fetched).toEqual([0, 1]);
  });

  it("is refused without a cached description", async () => {
    await start();
    disconnect();
    const answer = await get();
    expect([answer.status, await answer.json()]).toEqual(refused);
  });

  it("waits a moment for an owner", async () => {
    await start();
    api.later = api.session;
    api.session = aSession({ ...api.session, active: false });
    expect((await get({ range: "bytes=0-9" })).status).toBe(206);
  });

  it("is refused without an owner as well", async () => {
    await start();
    api.session = aSession({ ...api.session, active: false });
    expect((await get()).status).toBe(500);
  });
});

describe("what the router knows of a link", () => {
  const status = async (headers: Record<string, string> = { range: "bytes=0-9" }, method = "GET"): Promise<number> => {
    const answer = await get(headers, method);
    await answer.arrayBuffer();
    return answer.status;
  };

  it("responds to ranges, HEAD and conditions exactly as without the cache", async () => {
    await start();
    await bytesOf(await get());
    const asked: [Record<string, string>, string][] = [];
    for (const range of [
      "bytes=0-0",
      `bytes=${chunkBytes}-${2 * chunkBytes - 1}`,
      "bytes=-1",
      `bytes=${size - 5}-`,
      `bytes=${size}-`,
      "bytes=-0",
      "bytes=5-1",
      `bytes=${chunkBytes - 1}-${chunkBytes}`,
    ])
      asked.push([{ range }, "GET"], [{ range }, "HEAD"]);
    asked.push(
      [{ "if-none-match": '"v1"' }, "GET"],
      [{ range: "bytes=0-5", "if-range": '"v1"' }, "GET"],
      [{ range: "bytes=0-5", "if-range": '"v0"' }, "GET"],
      [{}, "HEAD"],
      [{ "if-none-match": "*" }, "HEAD"],
    );
    for (const [headers, method] of asked) {
      const answers = [];
      for (const atHand of [true, false]) {
        api.sessionsAtHand = atHand;
        const answer = await get({ ...headers, "x-request-id": "same" }, method);
        answers.push([answer.status, [...answer.headers].filter(([name]) => name !== "date"), (await bytesOf(answer)).toString("base64")]);
      }
      expect(answers[0], JSON.stringify([headers, method])).toEqual(answers[1]);
    }
  });

  it("is read from the cache every few seconds, not for every request", async () => {
    await start();
    expect(await status()).toBe(206);
    api.descriptions.clear();
    expect(await status()).toBe(206);
    expect(api.calls.map(({ command }) => command)).toEqual(["describe-media", "read-chunk"]);
    api.pass(cachedMs);
    expect(await status()).toBe(206);
    expect(api.calls.map(({ command }) => command)).toEqual(["describe-media", "read-chunk", "describe-media"]);
  });

  it("ends with the session, its account, and the signature", async () => {
    await start();
    expect(await status()).toBe(206);
    const link = path;
    path = link.replace(/[^/]{28}\.mp4$/, (end) => (end.startsWith("ab") ? "ac" : "ab") + end.slice(2));
    expect(await status()).toBe(404);
    path = link;
    const { session } = api;
    api.session = aSession({ ...session, lastAccount: "78" });
    api.answers["describe-media"] = () => {
      throw errors.mediaNotFound();
    };
    api.descriptions.clear();
    expect(await status()).toBe(404);
    api.session = undefined;
    expect(await status()).toBe(404);
    api.session = session;
    expect(await status()).toBe(206);
  });

  it("expires after five minutes without a check by the shard", async () => {
    await start();
    for (let minute = 0; minute < 4; minute++) {
      expect(await status()).toBe(206);
      api.descriptionAgeMs = minute * 60_000;
    }
    api.descriptionAgeMs = 5 * 60_000 - 4_000;
    expect(await status()).toBe(206);
    api.answers["describe-media"] = () => {
      throw errors.mediaNotFound();
    };
    // Only the description's own age counts: the cache entry itself is fresh.
    api.pass(1_000);
    expect(await status()).toBe(206);
    api.descriptions.clear();
    api.pass(3_000);
    expect(await status()).toBe(404);
  });

  it("counts as a stream: past the limit it is refused too, and gives its place back", async () => {
    await start({ streamLimits: { total: 10, perSession: 1 } });
    const whole = `bytes=0-${chunkBytes - 1}`;
    expect(await status({ range: whole })).toBe(206);
    const socket = await openSocket(api.app.port);
    socket.pause();
    // Sends requests without reading responses, until the socket is full and the last one holds its place.
    for (let n = 0; n < 40 && api.metrics.mediaStreams === 0; n++) {
      socket.write(`GET /telegram${path} HTTP/1.1\r\nHost: x\r\nRange: ${whole}\r\n\r\n`);
      await pause(20);
    }
    expect(api.metrics.mediaStreams).toBe(1);
    expect(await status({ range: whole })).toBe(503);
    socket.destroy();
    await until(() => api.metrics.mediaStreams === 0);
    expect(api.metrics.streams.at(-1)?.end).toBe("aborted");
    expect(await status({ range: whole })).toBe(206);
  });
});

describe("a tenant with a quota of bytes", () => {
  /** Yields pieces, as `MediaBytes` does. */
  const pieces: PacedBytes = {
    isFree: false,
    async *pace(body) {
      for await (const bytes of body) for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
    },
  };

  it.each<[string, Record<string, string>, number, number]>([
    ["the whole file", {}, 0, size - 1],
    ["a range within a chunk", { range: "bytes=10-300009" }, 10, 300_009],
    ["a range over chunks", { range: `bytes=${chunkBytes - 5}-${2 * chunkBytes}` }, chunkBytes - 5, 2 * chunkBytes],
  ])("is sent %s in pieces, from memory too", async (_, headers, from, to) => {
    const begun: number[] = [];
    api.bytes = {
      tryPay: () => "short",
      refund: () => undefined,
      begin: (_tenant, length) => (begun.push(length), Promise.resolve(pieces)),
    };
    await start();
    for (let round = 0; round < 2; round++) {
      const answer = await get(headers);
      expect(answer.headers.get("content-length")).toBe(String(to - from + 1));
      expect((await bytesOf(answer)).equals(file.subarray(from, to + 1))).toBe(true);
    }
    expect(begun).toEqual([to - from + 1, to - from + 1]);
    await until(() => api.metrics.mediaStreams === 0);
  });

  it("is rejected with Retry-After when too many wait, and holds no place", async () => {
    api.bytes = { tryPay: () => "short", refund: () => undefined, begin: () => Promise.reject(errors.tooManyRequests(2_500)) };
    await start({ streamLimits: { total: 1, perSession: 1 } });
    for (let round = 0; round < 3; round++) {
      const answer = await get({ range: "bytes=0-9" });
      expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
        429,
        "3",
        { statusCode: 429, message: "too many requests" },
      ]);
    }
    expect((await get({}, "HEAD")).status).toBe(200);
    expect((await get({ "if-none-match": '"v1"' })).status).toBe(304);
  });

  it("pays for what is at hand at once, and gets back what its client did not take", async () => {
    const [paid, refunded]: [number[], number[]] = [[], []];
    api.bytes = {
      tryPay: (_, bytes) => (paid.push(bytes), "paid"),
      refund: (_, bytes) => void refunded.push(bytes),
      begin: () => Promise.resolve(unpaced),
    };
    await start();
    await bytesOf(await get({ range: "bytes=0-99999" }));
    expect((await bytesOf(await get({ range: "bytes=0-99999" }))).equals(file.subarray(0, 100_000))).toBe(true);
    expect(paid).toEqual([100_000]);
    await until(() => refunded.length === 1);
    expect(refunded).toEqual([0]);
  });
});

describe("work that is shared and work that stops", () => {
  it("fetches a cold chunk once for 200 clients", async () => {
    let open: () => void = () => {};
    gate = new Promise((resolve) => (open = resolve));
    await start({ streamLimits: { total: 400, perSession: 400 } });
    const answers = Array.from({ length: 200 }, () => get({ range: "bytes=0-99" }));
    await until(() => api.metrics.running === 200);
    open();
    for (const answer of await Promise.all(answers)) expect((await bytesOf(answer)).equals(file.subarray(0, 100))).toBe(true);
    expect(fetched).toEqual([0]);
  });

  it("serves from memory what it had once", async () => {
    await start();
    await bytesOf(await get({ range: "bytes=0-9" }));
    api.chunks.clear();
    expect((await bytesOf(await get({ range: "bytes=5-9" }))).equals(file.subarray(5, 10))).toBe(true);
    expect(api.metrics.sources).toEqual(["shard", "memory"]);
  });

  it("keeps its memory within the bound", async () => {
    await start({ memoryBytes: 2 * chunkBytes });
    await bytesOf(await get());
    expect(api.metrics.memory).toBeLessThanOrEqual(2 * chunkBytes);
  });

  it("stops fetching when the client leaves", async () => {
    await start();
    const socket = await openSocket(api.app.port);
    socket.pause();
    gate = new Promise(() => {});
    socket.write(`GET /telegram${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => fetched.length === 1);
    socket.destroy();
    await until(() => api.metrics.running === 0);
    // No event reports that no further chunk is fetched.
    await pause(100);
    expect(fetched).toEqual([0]);
    expect(api.metrics.mediaStreams).toBe(0);
  });

  it("responds with 503 past the streams of a session", async () => {
    let open: () => void = () => {};
    gate = new Promise((resolve) => (open = resolve));
    await start({ streamLimits: { total: 10, perSession: 2 } });
    const waiting = [get({ range: "bytes=0-0" }), get({ range: "bytes=0-0" })];
    await until(() => api.metrics.mediaStreams === 2);
    const answer = await get({ range: "bytes=0-0" });
    expect([answer.status, await answer.json(), answer.headers.get("retry-after")]).toEqual([
      503,
      { statusCode: 503, message: "server busy" },
      "1",
    ]);
    open();
    for (const each of await Promise.all(waiting)) await bytesOf(each);
    await until(() => api.metrics.mediaStreams === 0);
    expect((await get({ range: "bytes=0-0" })).status).toBe(206);
  });
});
