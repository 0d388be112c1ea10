import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Channel, ChannelMessage } from "../../shared/contract/telegram/channel.js";
import type { Group, GroupMember } from "../../shared/contract/telegram/group.js";
import { createSession, loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { ownerOf } from "../harness/owner-of.js";
import { syntheticBytes } from "../sandbox/files/synthetic-bytes.js";

/**
 * Runs the whole path on real processes: supervisor, Redis, sandbox, two routers, two shards, and HTTP. Drawn story cards go to the folder
 * `LOOK_AT` for review.
 */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 2 });
});
afterAll(() => gateway.stop());

const sandbox = async (path: string, method = "GET"): Promise<{ docs: Record<string, unknown>[] } & Record<string, unknown>> =>
  (await request(`${gateway.sandbox}${path}`, { method })).body as { docs: Record<string, unknown>[] } & Record<string, unknown>;
const getFileCalls = async (): Promise<number> => ((await sandbox("/calls"))["telegram"] as Record<string, number>)["upload.getFile"] ?? 0;
const stories = async (account: string): Promise<Record<string, unknown>[]> =>
  (await sandbox(`/received?platform=telegram&account=${account}`)).docs.filter(({ type }) => type === "story");

describe("login", () => {
  it("names an account without a name by its username", async () => {
    expect((await (await loggedIn(gateway, "mallory")).record()).name).toBe("mallory_sandbox");
  });

  it("moves an account of another data centre there", async () => {
    expect(await (await loggedIn(gateway, "carol")).record()).toMatchObject({ isConnected: true, username: "carol_sandbox" });
  });

  it.each([
    ["dave", "battery staple", "correct horse"],
    ["erin", "мой ключ", "пароль🔑"],
  ])("asks %s for the password", async (account, hint, password) => {
    const caller = await createSession(gateway);
    expect(await caller.send("POST", "/session/password", { password })).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: "password is not required" },
    });
    await caller.scan(account);
    const record = await eventually("password required", async () => {
      const read = await caller.record();
      return read.isPasswordRequired ? read : undefined;
    });
    expect(record).toMatchObject({ isConnected: false, passwordHint: hint, qrcode: "" });
    expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
    expect(await caller.send("POST", "/session/password", { password: "" })).toMatchObject({
      status: 400,
      body: { message: "password should not be empty" },
    });
    expect(await caller.send("POST", "/session/password", { password: "wrong" })).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: "invalid password" },
    });
    expect(await caller.record()).toMatchObject({ isConnected: false, isPasswordRequired: true });
    expect(await caller.send("POST", "/session/password", { password })).toMatchObject({
      status: 200,
      body: { id: caller.credentials.id },
    });
    expect(await caller.record()).toMatchObject({ isConnected: true, isPasswordRequired: false, passwordHint: "" });
  });
});

describe("a connected session", () => {
  let alice: Caller;
  beforeAll(async () => {
    alice = await loggedIn(gateway, "alice");
  });

  it.each([
    ["latin", "Good news everyone! Trunkline draws stories."],
    ["arabic", "مرحبا بالعالم، هذه قصة جديدة"],
    ["hebrew", "שלום עולם, זה סיפור חדש"],
    ["hindi", "नमस्ते दुनिया, यह एक नई कहानी है"],
    ["thai", "สวัสดีชาวโลก นี่คือเรื่องราวใหม่"],
    ["chinese", "你好，世界，这是一个新故事"],
    ["emoji", "Party 🎉🥳 tonight ❤️ 👨‍👩‍👧"],
    ["long", "All work and no play makes a long story. ".repeat(120)],
  ])("posts a text story in %s, white on dark green, 1080 x 1920", async (name, text) => {
    const posted = await alice.send("POST", "/status", { type: "text", text });
    expect(posted).toMatchObject({ status: 200, body: { statusId: expect.stringMatching(/^\d+$/) as string } });
    const story = (await stories("alice")).find(({ id }) => id === (posted.body as { statusId: string }).statusId);
    expect(story).toMatchObject({ privacy: "contacts", caption: "", file: { mimetype: "image/jpeg", width: 1080, height: 1920 } });
    const reviewFolder = process.env["LOOK_AT"];
    if (reviewFolder !== undefined) await writeFile(join(reviewFolder, `${name}.txt`), JSON.stringify(story));
  });

  it("posts an image story scaled to at most 1080, with its privacy and caption", async () => {
    const posted = await alice.send("POST", "/status", {
      type: "image",
      text: "Hello",
      privacy: "close_friends",
      image: { url: `${gateway.sandbox}/files/photo.jpg`, mimetype: "image/jpeg" },
    });
    expect(posted.status).toBe(200);
    const story = (await stories("alice")).at(-1);
    expect(story).toMatchObject({ privacy: "close_friends", caption: "Hello" });
    const { width, height } = story?.["file"] as { width: number; height: number };
    expect(Math.max(width, height)).toBe(1080);
  });

  it("posts a video story as it is, with its first frame as thumbnail", async () => {
    const url = `${gateway.sandbox}/files/video.mp4`;
    const posted = await alice.send("POST", "/status", {
      type: "video",
      privacy: "everyone",
      video: { url, mimetype: "video/mp4", duration: 3 },
    });
    expect(posted).toMatchObject({ status: 200 });
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect((await stories("alice")).at(-1)).toMatchObject({
      privacy: "everyone",
      file: {
        mimetype: "video/mp4",
        size: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        thumbnail: { mimetype: "image/jpeg" },
      },
    });
  });

  it.each<[string, unknown, number, string | RegExp]>([
    [
      "a URL that is gone",
      { type: "image", image: { url: "SANDBOX/files/gone.jpg", mimetype: "image/jpeg" } },
      500,
      /^error parser file from url 404 Not Found$/,
    ],
    [
      "a private address",
      { type: "image", image: { url: "http://127.0.0.1:1/x.jpg", mimetype: "image/jpeg" } },
      500,
      "error parser file from url blocked address: it is not public",
    ],
    [
      "a broken picture",
      { type: "image", image: { url: "SANDBOX/files/broken.jpg", mimetype: "image/jpeg" } },
      500,
      /^error compress image: ./,
    ],
    [
      "a decompression bomb",
      { type: "image", image: { url: "SANDBOX/files/bomb.png", mimetype: "image/png" } },
      500,
      /^error compress image: ./,
    ],
  ])("refuses a story with %s", async (_, body, status, message) => {
    const response = await alice.send("POST", "/status", JSON.parse(JSON.stringify(body).replaceAll("SANDBOX", gateway.sandbox)));
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ statusCode: status, message: expect.stringMatching(message) as string });
  });

  it("passes a story limit of the platform through", async () => {
    await alice.phone("/faults", {
      platform: "telegram",
      account: "alice",
      method: "stories.sendStory",
      kind: "error",
      error: "STORIES_TOO_MUCH",
      times: 1,
    });
    expect(await alice.send("POST", "/status", { type: "text", text: "one too many" })).toMatchObject({
      status: 500,
      body: { message: "400: STORIES_TOO_MUCH (caused by stories.SendStory)" },
    });
  });

  it("lists groups and one of them, and 10,000 members", async () => {
    const { docs } = (await alice.get("/group")).body as { docs: Group[] };
    const big = docs.find(({ name }) => name.startsWith("Big Town"));
    const family = docs.find(({ name }) => name.startsWith("Family"));
    expect(big).toMatchObject({
      id: expect.stringMatching(/^-100\d{10}$/) as string,
      description: "Ten thousand people in one place",
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
    expect(family?.id).toMatch(/^-\d+$/);
    expect(docs.some(({ name }) => name.includes("News"))).toBe(false);
    expect((await alice.get(`/group/${big?.id ?? ""}`)).body).toEqual(big);
    const members = (await alice.get(`/group/member?groupId=${big?.id ?? ""}`)).body as { docs: GroupMember[] };
    expect(members.docs).toHaveLength(10_000);
    expect(new Set(members.docs.map(({ id }) => id)).size).toBe(10_000);
    expect(members.docs.every(({ id, name }) => /^\d+$/.test(id) && name !== "")).toBe(true);
    expect(((await alice.get("/group/member?groupId=sandbox_square")).body as { docs: GroupMember[] }).docs.length).toBeGreaterThan(400);
  });

  it("lists channels and one of them", async () => {
    const { docs } = (await alice.get("/channel")).body as { docs: Channel[] };
    const newsChannel = docs.find(({ username }) => username === "alice_news");
    expect(newsChannel).toMatchObject({ id: expect.stringMatching(/^-100\d{10}$/) as string, isOwner: true });
    expect(docs.find(({ username }) => username === "sandbox_daily")).toMatchObject({ isOwner: false });
    expect(docs.some(({ name }) => name.startsWith("Big Town"))).toBe(false);
    expect((await alice.get("/channel/alice_news")).body).toEqual(newsChannel);
    expect((await alice.get(`/channel/${newsChannel?.id ?? ""}`)).body).toEqual(newsChannel);
  });

  describe("media", () => {
    const size = 64 * 1024 * 1024;
    let video: ChannelMessage;
    let fileId: string;
    const path = (url: string): string => new URL(url, gateway.telegram[0]).pathname;
    const fetchRange = async (router: number, url: string, range?: string): Promise<Response> =>
      fetch(new URL(path(url), gateway.telegram[router]), {
        headers: range === undefined ? {} : { range },
        signal: AbortSignal.timeout(120_000),
      });

    beforeAll(async () => {
      const media = (await sandbox("/media?platform=telegram")).docs;
      const doc = media.find((entry) => entry["size"] === size);
      fileId = String(doc?.["fileId"]);
      const response = await alice.get(`/channel/message?channelId=${String(doc?.["chatId"])}&limit=100`);
      expect(response.status).toBe(200);
      const { docs } = response.body as { docs: ChannelMessage[] };
      const found = docs.find((message) => message.size === size);
      if (found === undefined) throw new Error("no 64 MiB video among the channel's messages");
      video = found;
    });

    it("lists channel messages newest first, with signed links", async () => {
      expect(video).toMatchObject({ type: "video", mimetype: "video/mp4", size });
      expect(path(video.url)).toMatch(
        new RegExp(`^/telegram/media/${alice.credentials.id}/-100\\d{10}/\\d+/file/[A-Za-z0-9_-]{28}\\.mp4$`),
      );
      const { docs } = (await alice.get("/channel/message?channelId=sandbox_daily&limit=20")).body as { docs: ChannelMessage[] };
      expect(docs.map(({ id }) => Number(id))).toEqual(docs.map(({ id }) => Number(id)).sort((a, b) => b - a));
      expect(docs).toHaveLength(20);
      const before = (
        (await alice.get(`/channel/message?channelId=sandbox_daily&limit=20&before=${docs.at(-1)?.id ?? ""}`)).body as {
          docs: ChannelMessage[];
        }
      ).docs;
      expect(Number(before[0]?.id)).toBeLessThan(Number(docs.at(-1)?.id));
    });

    it("streams 64 MiB byte-exact", async () => {
      const response = await fetchRange(0, video.url);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "video/mp4",
        "content-length": String(size),
        "accept-ranges": "bytes",
        "cache-control": "public, max-age=86400",
      });
      const got = createHash("sha256");
      let length = 0;
      for await (const part of response.body ?? []) {
        got.update(part as Uint8Array);
        length += (part as Uint8Array).length;
      }
      const want = createHash("sha256");
      for (let offset = 0; offset < size; offset += 1 << 20) want.update(syntheticBytes(fileId, offset, 1 << 20));
      expect(length).toBe(size);
      expect(got.digest("hex")).toBe(want.digest("hex"));
    });

    it.each<[string, number, number]>([
      ["bytes=0-0", 0, 1],
      ["bytes=0-1023", 0, 1024],
      [`bytes=${512 * 1024 - 1}-${512 * 1024}`, 512 * 1024 - 1, 2],
      ["bytes=1000000-3000000", 1_000_000, 2_000_001],
      ["bytes=-5", size - 5, 5],
      [`bytes=${size - 10}-`, size - 10, 10],
      [`bytes=${size - 10}-${size + 999}`, size - 10, 10],
    ])("answers %s with 206", async (range, offset, length) => {
      const response = await fetchRange(0, video.url, range);
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(`bytes ${offset}-${offset + length - 1}/${size}`);
      expect(Buffer.from(await response.arrayBuffer()).equals(syntheticBytes(fileId, offset, length))).toBe(true);
    });

    it("responds with 416 to a range outside the file", async () => {
      const response = await fetchRange(0, video.url, `bytes=${size}-`);
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
      expect(await response.json()).toEqual({ statusCode: 416, message: "range not satisfiable" });
    });

    it("refuses every altered link", async () => {
      const link = path(video.url);
      const parts = link.split("/");
      const session = parts[3] ?? "";
      const flip = (text: string): string => (text.endsWith("A") ? `${text.slice(0, -1)}B` : `${text.slice(0, -1)}A`);
      const [signature = "", ext = ""] = (parts[7] ?? "").split(".");
      const with7 = (last: string): string => [...parts.slice(0, 7), last].join("/");
      const altered = [
        with7(`${flip(signature)}.${ext}`),
        with7(`${signature}.jpg`),
        link.replace(/\/file\//, "/thumb/"),
        link.replace(/\/(\d+)\/file/, (_, id: string) => `/${Number(id) + 1}/file`),
        link.replace(session, `${session.slice(0, -1)}${session.endsWith("0") ? "1" : "0"}`),
      ];
      for (const url of altered) {
        const response = await fetchRange(0, url);
        expect([url, response.status, await response.json()]).toEqual([url, 404, { statusCode: 404, message: "media not found" }]);
      }
      const malformed = await fetchRange(0, link.replace(session, "not-a-database-id"));
      expect([malformed.status, await malformed.json()]).toEqual([400, { statusCode: 400, message: "platformId must be a database id" }]);
    });

    it("serves cached chunks through the other router without asking the platform", async () => {
      await sandbox("/calls", "DELETE");
      const response = await fetchRange(1, video.url, "bytes=2000000-9000000");
      expect(response.status).toBe(206);
      expect(Buffer.from(await response.arrayBuffer()).equals(syntheticBytes(fileId, 2_000_000, 7_000_001))).toBe(true);
      expect(await getFileCalls()).toBe(0);
    });

    it("requests each chunk from the platform once when many read one cold file", async () => {
      const media = (await sandbox("/media?platform=telegram")).docs.find((entry) => Number(entry["size"]) > 1e9);
      const { docs } = (await alice.get(`/channel/message?channelId=${String(media?.["chatId"])}&limit=100`)).body as {
        docs: ChannelMessage[];
      };
      const big = docs.find((message) => message.size === media?.["size"]);
      await sandbox("/calls", "DELETE");
      const reads = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          const response = await fetchRange(i % 2, big?.url ?? "", "bytes=1073741824-1075838975");
          return Buffer.from(await response.arrayBuffer());
        }),
      );
      const want = syntheticBytes(String(media?.["fileId"]), 1_073_741_824, 2_097_152);
      expect(reads.every((bytes) => bytes.equals(want))).toBe(true);
      expect(await getFileCalls()).toBe(4);
    });

    it("survives kill -9 of the owning shard: back on the other shard, no new QR, cache intact", async () => {
      const keysOf = async (): Promise<unknown[]> =>
        (await sandbox("/connections?platform=telegram")).docs
          .filter(({ account, main }) => account === "alice" && main === true)
          .map(({ key }) => key);
      const before = await keysOf();
      expect(before).toHaveLength(1);
      const owner = await ownerOf(gateway, alice);
      process.kill(await gateway.shardPid(owner), "SIGKILL");
      const killedAt = performance.now();
      const groups = await eventually("groups from the other shard", async () => {
        const response = await alice.get("/group");
        return response.status === 200 ? response : undefined;
      });
      const seconds = (performance.now() - killedAt) / 1000;
      process.stdout.write(`answered ${seconds.toFixed(2)} s after kill -9 of ${owner}\n`);
      expect((groups.body as { docs: Group[] }).docs.length).toBeGreaterThan(5);
      expect(await alice.record()).toMatchObject({ isConnected: true, qrcode: "" });
      // The authorisation key is the same, so no account logged in again.
      expect(await keysOf()).toEqual(before);
      // The new connection downloads the account's own picture by the same method. Each round uses another part, because fetched parts are
      // cached.
      let part = 0;
      await eventually("a part that nobody asks the platform for", async () => {
        const [at, files] = [part++ * 4_000_000, await getFileCalls()];
        const response = await fetchRange(0, video.url, `bytes=${at}-${at + 3_999_999}`);
        if (!Buffer.from(await response.arrayBuffer()).equals(syntheticBytes(fileId, at, 4_000_000))) throw new Error("other bytes");
        return (await getFileCalls()) === files;
      });
      expect(part).toBeLessThan(4);
      await gateway.settled();
      expect((await sandbox("/overlaps")).docs).toEqual([]);
    });
  });
});
