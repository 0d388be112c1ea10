import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkBytes } from "../../../shared/limits.js";
import { LinkKeys } from "../../../shared/media/link.js";
import { SealedLinks } from "../../../shared/media/sealed-links.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { receivedFile, type ReceivedFile } from "../../harness/received-files.js";
import { callWire, type WireResponse } from "../../harness/wire.js";

/** Files that people have sent to a WhatsApp account, through the gateway: whole, in ranges, with conditions, and altered. */
const keyText = `a:${randomBytes(32).toString("base64")}`;
const links = new SealedLinks(LinkKeys.parse(keyText));
const size = 2 * chunkBytes + 4_321;
let gateway: TestCluster;
let alice: Caller;
let film: ReceivedFile;

beforeAll(async () => {
  gateway = await startCluster({ env: { MEDIA_KEYS: keyText } });
  alice = await loggedIn(gateway, "alice", "whatsapp");
  film = await receivedFile(alice, links, size);
});
afterAll(() => gateway.stop());

type Lines = Readonly<Record<string, string>>;
const get = (headers: Lines = {}, { path } = film, method: "GET" | "HEAD" = "GET"): Promise<WireResponse> =>
  callWire(gateway.whatsapp[0] ?? "", path, { headers, method });
const one = (answer: WireResponse, name: string): string | undefined => answer.headers.get(name)?.join(" | ");
const errorOf = ({ status, body }: WireResponse): unknown => [status, JSON.parse(body.toString())];

const ranges = [
  [0, 0],
  [15, 16],
  [chunkBytes - 1, chunkBytes - 1],
  [chunkBytes - 17, chunkBytes + 17],
  [2 * chunkBytes, size - 1],
  [1, size - 2],
] as const;

describe("a file that arrived on WhatsApp", () => {
  it.each(ranges)("is served from byte %i to %i", async (from, to) => {
    // Each file is new, so that its chunks are not cached.
    const file = await receivedFile(alice, links, size);
    const answer = await get({ range: `bytes=${from}-${to}` }, file);
    expect([answer.status, one(answer, "content-range"), answer.whole]).toEqual([206, `bytes ${from}-${to}/${size}`, true]);
    expect(answer.body.equals(file.bytes(from, to - from + 1))).toBe(true);
  });

  it("is served whole, with Telegram's headers", async () => {
    for (let times = 0; times < 2; times++) {
      const answer = await get();
      expect([answer.status, one(answer, "content-length"), one(answer, "content-type")]).toEqual([200, String(size), "video/mp4"]);
      expect(one(answer, "cache-control")).toBe("public, max-age=86400");
      expect(one(answer, "content-security-policy")).toBe("default-src 'none'; sandbox");
      expect(answer.body.equals(film.bytes(0, size))).toBe(true);
    }
  });

  it("has HEAD, 304 and 416", async () => {
    const head = await get({}, film, "HEAD");
    expect([head.status, one(head, "content-length"), head.body.length]).toEqual([200, String(size), 0]);
    expect((await get({ "if-none-match": one(head, "etag") ?? "" })).status).toBe(304);
    const outside = await get({ range: `bytes=${size}-` });
    expect([one(outside, "content-range"), errorOf(outside)]).toEqual([
      `bytes */${size}`,
      [416, { statusCode: 416, message: "range not satisfiable" }],
    ]);
  });

  it("is not found through an altered link", async () => {
    const parts = film.path.split("/");
    for (const [index, part] of parts.entries()) {
      if (index < 4) continue;
      const altered = part.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, (last) => (last === "1" ? "2" : "1"));
      const path = parts.with(index, altered).join("/");
      expect(errorOf(await get({}, { ...film, path })), path).toEqual([404, { statusCode: 404, message: "media not found" }]);
    }
    const path = parts.with(3, "x").join("/");
    expect(errorOf(await get({}, { ...film, path }))).toEqual([400, { statusCode: 400, message: "platformId must be a database id" }]);
  });

  it("is not found when its bytes are not those of its message", async () => {
    const small = { kind: "document", change: { plainHash: randomBytes(32) } } as const;
    for (const wrong of [
      await receivedFile(alice, links, 1_000, small),
      await receivedFile(alice, links, 700_000, { change: { length: 600_000 } }),
    ])
      expect(errorOf(await get({ range: "bytes=-1" }, wrong))).toEqual([404, { statusCode: 404, message: "media not found" }]);
  });

  it("comes from the phone when the media hosts no longer have it", async () => {
    const file = await receivedFile(alice, links, size);
    const lost = await receivedFile(alice, links, 1_000);
    const fault = { platform: "whatsapp", account: "alice", kind: "gone-media" };
    await alice.phone("/faults", { ...fault, error: "410" });
    const answer = await get({}, file);
    expect([answer.status, answer.body.equals(file.bytes(0, size))]).toEqual([200, true]);
    await alice.phone("/faults", { ...fault, method: "lacks" });
    expect(errorOf(await get({}, lost))).toEqual([404, { statusCode: 404, message: "media not found" }]);
  });

  it("ends with its session", async () => {
    const bob = await loggedIn(gateway, "alice", "whatsapp");
    const file = await receivedFile(bob, links, 1_000);
    expect((await get({}, file)).status).toBe(200);
    await bob.send("DELETE", "/session");
    expect(errorOf(await get({}, file))).toEqual([404, { statusCode: 404, message: "media not found" }]);
  });
});
