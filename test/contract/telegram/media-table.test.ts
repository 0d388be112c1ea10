import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chunkBytes } from "../../../shared/limits.js";
import { LinkKeys } from "../../../shared/media/link.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { sentFile, type LinkedFile } from "../../harness/media-files.js";
import { TelegramSide } from "../../harness/telegram-side.js";
import { callWire, type WireResponse } from "../../harness/wire.js";

/** Tests every row of the table of ranges (router/README.md, "Media"): status, headers and bytes, with GET and HEAD. */
const keyText = `a:${randomBytes(32).toString("base64")}`;
const keys = LinkKeys.parse(keyText);
const size = 1_000;
let gateway: TestCluster;
let platform: TelegramSide;
let alice: Caller;
let file: LinkedFile;
let empty: LinkedFile;

beforeAll(async () => {
  gateway = await startCluster({ env: { MEDIA_KEYS: keyText } });
  platform = new TelegramSide(gateway);
  alice = await loggedIn(gateway, "alice");
  file = await sentFile(platform, keys, alice, "alice", size);
  empty = await sentFile(platform, keys, alice, "alice", 0);
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

type Lines = Readonly<Record<string, string | readonly string[]>>;
const get = (headers: Lines = {}, of = file): Promise<WireResponse> => callWire(gateway.telegram[0] ?? "", of.path, { headers });
const head = (headers: Lines = {}, of = file): Promise<WireResponse> =>
  callWire(gateway.telegram[0] ?? "", of.path, { method: "HEAD", headers });
const one = (answer: WireResponse, name: string): string | undefined => answer.headers.get(name)?.join(" | ");

/** Headers of every successful response, whatever the range. */
const always = ({ etag }: LinkedFile): Record<string, string> => ({
  "content-type": "application/octet-stream",
  "content-disposition": expect.stringMatching(/^attachment; filename="\d+ bytes.bin"$/) as string,
  "accept-ranges": "bytes",
  "cache-control": "public, max-age=86400",
  etag,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
});

/** Returns all headers except the connection's and the request id, which differs each time. */
function headersOf({ headers }: WireResponse): Record<string, string> {
  expect(headers.get("x-request-id")).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !["date", "connection", "x-request-id"].includes(name))
      .map(([name, values]) => [name, values.join(" | ")]),
  );
}

function expectWhole(answer: WireResponse, of = file): void {
  expect([answer.status, headersOf(answer), answer.whole]).toEqual([200, { ...always(of), "content-length": String(of.size) }, true]);
  expect(answer.body.equals(of.bytes(0, of.size))).toBe(true);
}

function expectPart(answer: WireResponse, from: number, to: number): void {
  expect([answer.status, headersOf(answer), answer.whole]).toEqual([
    206,
    { ...always(file), "content-length": String(to - from + 1), "content-range": `bytes ${from}-${to}/${size}` },
    true,
  ]);
  expect(answer.body.equals(file.bytes(from, to - from + 1))).toBe(true);
}

const codes: Readonly<Record<number, string>> = {
  400: "invalid-request",
  404: "not-found",
  416: "range-not-satisfiable",
  503: "platform-wait",
};

function expectError(answer: WireResponse, statusCode: number, message: string, more: Record<string, string> = {}): void {
  const text = JSON.stringify({ statusCode, message });
  const everywhere = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  expect([answer.status, headersOf(answer), answer.body.toString()]).toEqual([
    statusCode,
    { ...everywhere, "x-error-code": codes[statusCode], "content-length": String(text.length), ...more },
    text,
  ]);
}

describe("one range: 206, and by HEAD 200 with the whole length", () => {
  it.each<[string, number, number]>([
    ["bytes=0-0", 0, 0],
    ["bytes=0-999", 0, 999],
    ["bytes=10-20", 10, 20],
    ["bytes=999-999", 999, 999],
    ["bytes=999-1000", 999, 999],
    ["bytes=0-9999999999999999999", 0, 999],
    ["bytes=0-", 0, 999],
    ["bytes=999-", 999, 999],
    ["bytes=-1", 999, 999],
    ["bytes=-999", 1, 999],
    ["bytes=-1000", 0, 999],
    ["bytes=-1001", 0, 999],
    ["bytes=-9999999999999999999", 0, 999],
    ["bytes=0000000000000000010-0000000000000000020", 10, 20],
    ["Bytes=10-20", 10, 20],
    ["BYTES=10-20", 10, 20],
    ["  bytes=10-20  ", 10, 20],
    ["\tbytes=10-20\t", 10, 20],
  ])("%j", async (range, from, to) => {
    expectPart(await get({ range }), from, to);
    const asked = await head({ range });
    expect([asked.status, headersOf(asked), asked.body.length]).toEqual([200, { ...always(file), "content-length": String(size) }, 0]);
  });
});

describe("outside the file: 416, and by HEAD 200", () => {
  it.each([
    "bytes=-0",
    "bytes=-00",
    "bytes=1000-",
    "bytes=1000-1000",
    "bytes=1000-2000",
    "bytes=9223372036854775807-",
    "bytes=9999999999999999998-9999999999999999999",
    "Bytes=1000-",
  ])("%j", async (range) => {
    expectError(await get({ range }), 416, "range not satisfiable", { "content-range": `bytes */${size}` });
    expect((await head({ range })).status).toBe(200);
  });
});

describe("no range that counts: 200, whole", () => {
  it.each<[string, Lines]>([
    ["no Range", {}],
    ["the last before the first", { range: "bytes=20-10" }],
    ["the last before the first, of 19 digits", { range: "bytes=9999999999999999999-9999999999999999998" }],
    ["letters", { range: "bytes=a-b" }],
    ["hexadecimal", { range: "bytes=0x1-0x2" }],
    ["a sign", { range: "bytes=+1-2" }],
    ["a fraction", { range: "bytes=1.5-2" }],
    ["no number", { range: "bytes=-" }],
    ["no set", { range: "bytes=" }],
    ["no unit", { range: "=0-1" }],
    ["an empty field", { range: "" }],
    ["another unit", { range: "items=0-1" }],
    ["a unit that begins alike", { range: "bytesx=0-1" }],
    ["20 digits, first", { range: "bytes=10000000000000000000-" }],
    ["20 digits, last", { range: "bytes=0-10000000000000000000" }],
    ["20 digits, suffix", { range: "bytes=-10000000000000000000" }],
    ["20 digits that are small", { range: "bytes=00000000000000000000-1" }],
    ["over 200 bytes", { range: `bytes=${"0".repeat(200)}-1` }],
    ["10,000 bytes", { range: `bytes=0-1${",0-1".repeat(2_500)}` }],
    ["several ranges", { range: "bytes=0-1,4-5" }],
    ["several ranges that touch", { range: "bytes=0-1, 2-3" }],
    ["several, one of them outside", { range: "bytes=0-1,5000-" }],
    ["a list of one with an empty element", { range: "bytes=0-1," }],
    ["white space behind the unit", { range: "bytes =0-1" }],
    ["white space in front of the set", { range: "bytes= 0-1" }],
    ["white space inside the range", { range: "bytes=0 - 1" }],
    ["two Range fields, alike", { range: ["bytes=0-1", "bytes=0-1"] }],
    ["two Range fields", { range: ["bytes=0-1", "bytes=4-5"] }],
  ])("%s", async (_, lines) => {
    expectWhole(await get(lines));
    expect((await head(lines)).status).toBe(200);
  });
});

describe("If-Range", () => {
  const range = "bytes=10-20";

  it("our strong tag: the range applies, also with white space around it", async () => {
    expectPart(await get({ range, "if-range": file.etag }), 10, 20);
    expectPart(await get({ range, "if-range": `  ${file.etag} ` }), 10, 20);
    expectError(await get({ range: "bytes=1000-", "if-range": file.etag }), 416, "range not satisfiable", {
      "content-range": `bytes */${size}`,
    });
  });

  it.each<[string, (etag: string) => string | readonly string[]]>([
    ["a weak tag", (etag) => `W/${etag}`],
    ["another tag", () => '"other"'],
    ["another case", (etag) => etag.toUpperCase()],
    ["no quotes", (etag) => etag.slice(1, -1)],
    ["a list", (etag) => `${etag}, "other"`],
    ["a star", () => "*"],
    ["a date", () => "Sat, 21 Nov 2026 08:00:00 GMT"],
    ["a date of tomorrow", () => new Date(Date.now() + 86_400_000).toUTCString()],
    ["nothing", () => ""],
    ["two fields", (etag) => [etag, etag]],
    ["two fields, one of another file", (etag) => [etag, '"other"']],
  ])("%s: whole", async (_, value) => {
    // A tag of digits alone has no uppercase form.
    if (value(file.etag) === file.etag) return;
    expectWhole(await get({ range, "if-range": value(file.etag) }));
    expectWhole(await get({ range: "bytes=1000-", "if-range": value(file.etag) }));
  });

  it("without a Range: whole", async () => {
    expectWhole(await get({ "if-range": file.etag }));
  });
});

describe("If-None-Match", () => {
  it.each<[string, (etag: string) => string | readonly string[]]>([
    ["our tag", (etag) => etag],
    ["our tag, weak", (etag) => `W/${etag}`],
    ["a star", () => "*"],
    ["a list", (etag) => `"a", W/"b" ,${etag}`],
    ["a list with a weak one", (etag) => `W/${etag},"c"`],
    ["a list with empty elements", (etag) => `,, ${etag},`],
    ["a list over two fields", (etag) => ['"a"', etag]],
    ["our tag twice", (etag) => [etag, etag]],
  ])("%s: 304 without a body, by GET and HEAD, whatever the range", async (_, value) => {
    const lines = { "if-none-match": value(file.etag) };
    for (const answer of [
      await get(lines),
      await head(lines),
      await get({ ...lines, range: "bytes=0-1" }),
      await get({ ...lines, range: "bytes=1000-" }),
      await get({ ...lines, range: "bytes=0-1", "if-range": file.etag }),
    ]) {
      expect([answer.status, headersOf(answer), answer.body.length]).toEqual([304, always(file), 0]);
    }
  });

  it.each<[string, (etag: string) => string | readonly string[]]>([
    ["another tag", () => '"other"'],
    ["our tag without its quotes", (etag) => etag.slice(1, -1)],
    ["part of our tag", (etag) => `${etag.slice(0, -2)}"`],
    ["our tag and more", (etag) => `${etag.slice(0, -1)}0"`],
    ["a list of others", () => '"a", W/"b"'],
    ["nothing", () => ""],
    ["a date", () => "Sat, 21 Nov 2026 08:00:00 GMT"],
    ["two fields of others", () => ['"a"', '"b"']],
  ])("%s: as without it", async (_, value) => {
    const lines = { "if-none-match": value(file.etag) };
    expectWhole(await get(lines));
    expectPart(await get({ ...lines, range: "bytes=10-20" }), 10, 20);
    expect((await head(lines)).status).toBe(200);
  });

  it("and If-Modified-Since, which is ignored", async () => {
    expectWhole(await get({ "if-modified-since": new Date(Date.now() + 86_400_000).toUTCString() }));
  });
});

describe("a file of no bytes", () => {
  it("200 with length 0, by GET and HEAD", async () => {
    expectWhole(await get({}, empty), empty);
    expect(headersOf(await head({}, empty))).toEqual({ ...always(empty), "content-length": "0" });
    expect((await get({ "if-none-match": empty.etag }, empty)).status).toBe(304);
  });

  it.each(["bytes=0-0", "bytes=0-", "bytes=-1", "bytes=-0", "bytes=5-9"])("%s: 416", async (range) => {
    expectError(await get({ range }, empty), 416, "range not satisfiable", { "content-range": "bytes */0" });
    expectWhole(await get({ range, "if-range": '"other"' }, empty), empty);
  });

  it.each(["bytes=1-0", "bytes=a-", "bytes=0-0,1-1"])("%s, which counts as absent: 200", async (range) => {
    expectWhole(await get({ range }, empty), empty);
  });
});

describe("errors: JSON that must not be cached, and the same without a body for HEAD", () => {
  it.each<[string, (path: string) => string, number, string]>([
    ["no database id", (path) => path.replace(alice.credentials.id, "1"), 400, "platformId must be a database id"],
    ["an altered link", (path) => path.replace(/.bin$/, ".bim"), 404, "media not found"],
    ["no such path", (path) => `${path}/x`, 404, ""],
  ])("%s", async (_, alter, status, message) => {
    const path = alter(file.path);
    const answer = await callWire(gateway.telegram[0] ?? "", path, { headers: { range: "bytes=0-1" } });
    expectError(answer, status, message || `Cannot GET ${path}`);
    const asked = await callWire(gateway.telegram[0] ?? "", path, { method: "HEAD" });
    expect([asked.status, one(asked, "cache-control"), one(asked, "content-type"), asked.body.length]).toEqual([
      status,
      "no-store",
      "application/json; charset=utf-8",
      0,
    ]);
  });

  it("503 of the first chunk, with Retry-After; HEAD, which needs no chunk: 200", async () => {
    const cold = await sentFile(platform, keys, alice, "alice", 2_000);
    await platform.fault({ account: "alice", kind: "flood-wait", method: "upload.getFile", seconds: 77, times: 5 });
    expectError(await get({ range: "bytes=0-1" }, cold), 503, "telegram asked to wait 77s", { "retry-after": "77" });
    expect((await head({}, cold)).status).toBe(200);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH"])("%s: 405", async (method) => {
    const answer = await fetch(new URL(file.path, gateway.telegram[0]), { method });
    expect([answer.status, answer.headers.get("allow"), answer.headers.get("cache-control"), await answer.json()]).toEqual([
      405,
      "GET, HEAD, OPTIONS",
      "no-store",
      { statusCode: 405, message: `Cannot ${method} ${file.path}` },
    ]);
  });

  it("OPTIONS: 204, and which methods there are", async () => {
    const answer = await fetch(new URL(file.path, gateway.telegram[0]), { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([204, "GET, HEAD, OPTIONS", ""]);
  });
});

describe("a file that changes", () => {
  /** Longer than the buffers of the sockets between test and router, so that the file's end is not fetched while the reader pauses. */
  const long = 48 * chunkBytes * 2;

  it("between two chunks: the connection is closed, and what came is of one version", async () => {
    const film = await sentFile(platform, keys, alice, "alice", long);
    const socket = connect(Number(new URL(gateway.telegram[0] ?? "").port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET ${film.path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "readable");
    // While the reader pauses, the router requests nothing.
    await platform.post("/people/edit", { account: "alice", messageId: film.messageId, media: "document", size: long });
    await platform.fault({ account: "alice", kind: "expired-reference" });
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const all = Buffer.concat(parts);
    const body = all.subarray(all.indexOf("\r\n\r\n") + 4);
    expect(all.toString("latin1", 0, 15)).toBe("HTTP/1.1 200 OK");
    expect(body.length).toBeLessThan(long);
    expect(body.equals(film.bytes(0, body.length))).toBe(true);
    // A client that resumes with the tag of the old file gets the new file from its beginning, with a new tag.
    const rest = await callWire(gateway.telegram[0] ?? "", film.path, {
      headers: { range: `bytes=${long - 10}-`, "if-range": film.etag },
      takeBytes: 1_000,
    });
    const tag = one(rest, "etag");
    expect([rest.status, one(rest, "content-length"), rest.body.length]).toEqual([200, String(long), 1_000]);
    expect(tag).not.toBe(film.etag);
    expect(rest.body.equals(body.subarray(0, 1_000))).toBe(false);
    expect(one(await head({}, film), "etag")).toBe(tag);
  });
});
