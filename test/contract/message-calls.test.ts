import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { PlatformSide } from "../harness/platform-side.js";

/** POST /message/voice, /message/sticker, /message/poll and /message/album on both platforms, as recipients see them. */
let gateway: TestCluster;
const callers = {} as Record<Platform, Caller>;
const phones = {} as Record<Platform, string>;
beforeAll(async () => {
  gateway = await startCluster();
  for (const platform of platforms) {
    callers[platform] = await loggedIn(gateway, "alice", platform);
    phones[platform] = await new PlatformSide(gateway, platform).phoneOf("bob");
  }
});
afterAll(() => gateway.stop());

type Row = Record<string, unknown> & { readonly type: string };

describe.each(platforms)("on %s", (platform) => {
  const side = (): PlatformSide<Row> => new PlatformSide(gateway, platform);
  const send = (call: string, body: object, headers = {}): Promise<ApiResponse> =>
    callers[platform].send("POST", `/message/${call}`, { phone: phones[platform], ...body }, headers);
  const rows = (): Promise<Row[]> => side().received("alice", "message");
  async function sent(call: string, body: object): Promise<Row | undefined> {
    const answer = await send(call, body);
    expect([answer.status, answer.body]).toEqual([200, { messageId: expect.stringMatching(/^\S+$/) as string }]);
    const { messageId } = answer.body as { messageId: string };
    return (await rows()).find(({ id }) => id === messageId);
  }
  async function family(): Promise<string> {
    const { docs } = (await callers[platform].get("/group")).body as { docs: { id: string; name: string }[] };
    return docs.find(({ name }) => name.startsWith("Family"))?.id ?? "";
  }

  it("an ogg file with opus is a voice message, byte for byte, for a person and a group", async () => {
    const { url, sha256, size } = await side().file("voice.ogg");
    const audio = { url, mimetype: "audio/ogg; codecs=opus", duration: 1.2 };
    const expected = { kind: "audio", file: { sha256, size, voice: true, duration: 2 } };
    expect(await sent("voice", { audio })).toMatchObject(expected);
    const group = await family();
    expect(await sent("voice", { group, audio })).toMatchObject({ chat: group, ...expected });
  });

  it.each(["audio.mp3", "photo.jpg", "document.pdf"])("%s is no voice message: 400", async (name) => {
    const audio = { url: side().fileUrl(name), mimetype: "audio/ogg", duration: 1 };
    expect(await send("voice", { audio })).toMatchObject({ status: 400, body: { message: "audio must be an ogg file with opus" } });
  });

  it("a voice message that cannot be downloaded is the error of POST /message", async () => {
    const audio = { url: side().fileUrl("none.ogg"), mimetype: "audio/ogg", duration: 1 };
    expect(await send("voice", { audio })).toMatchObject({ status: 500, body: { message: "error parser file from url 404 Not Found" } });
  });

  it.each(["photo.jpg", "photo.webp", "sticker.webp", "photo.png"])("%s is a sticker of 512 pixels", async (name) => {
    const row = await sent("sticker", { image: { url: side().fileUrl(name), mimetype: "image/jpeg" } });
    const file = { mimetype: "image/webp", width: 512, height: 512 };
    expect(row).toMatchObject({ kind: "sticker", file });
    expect((row?.["file"] as { size: number }).size).toBeLessThanOrEqual(100 * 1024);
  });

  it("a file that is no picture is no sticker", async () => {
    const image = { url: side().fileUrl("document.pdf"), mimetype: "image/png" };
    const { status, body } = await send("sticker", { image });
    expect([status, (body as { message: string }).message]).toEqual([
      500,
      expect.stringMatching(/unsupported image format|found application\/pdf/),
    ]);
  });

  it.each([undefined, true])("a poll has its question and options (multiple: %s)", async (multiple) => {
    const options = ["At seven", "At eight \u{1f44b}", "€".repeat(100)];
    const row = await sent("poll", { question: "When?", options, multiple });
    const poll = { options, multiple: multiple === true };
    expect(row).toMatchObject(platform === "telegram" ? { poll: { question: "When?", ...poll } } : { text: "When?", poll });
    expect(row).toMatchObject({ kind: "poll" });
  });

  it("a poll of twelve options goes to a group", async () => {
    const group = await family();
    const options = Array.from({ length: 12 }, (_, at) => `option ${at}`);
    expect(await sent("poll", { group, question: "Which?", options })).toMatchObject({ chat: group, kind: "poll", poll: { options } });
  });

  const image = (text: string): object => ({ text, image: { url: side().fileUrl("photo.jpg"), mimetype: "image/jpeg" } });
  const video = (text: string): object => ({ text, video: { url: side().fileUrl("video.mp4"), mimetype: "video/mp4", duration: 3 } });

  it("an album has its pictures and videos in order, each with its caption and its own id", async () => {
    const { status, body } = await send("album", { items: [image("first"), video("second"), image("")] });
    const { messageIds } = body as { messageIds: string[] };
    expect([status, new Set(messageIds).size]).toEqual([200, 3]);
    const parts = (await rows()).filter(({ id }) => messageIds.includes(String(id)));
    expect(parts.map(({ id, kind, text }) => [id, kind, text])).toEqual([
      [messageIds[0], "image", "first"],
      [messageIds[1], "video", "second"],
      [messageIds[2], "image", ""],
    ]);
    const albums = new Set(parts.map((row) => row[platform === "telegram" ? "groupedId" : "albumId"]));
    expect([albums.size, albums.has(undefined)]).toEqual([1, false]);
    if (platform === "whatsapp")
      expect((await rows()).find(({ id }) => albums.has(id))).toMatchObject({ kind: "album", album: { images: 2, videos: 1 } });
  });

  it("an album of ten pictures goes to a group as one album", async () => {
    const group = await family();
    const { status, body } = await send("album", { group, items: Array.from({ length: 10 }, (_, at) => image(`number ${at}`)) });
    const { messageIds } = body as { messageIds: string[] };
    expect([status, messageIds.length]).toEqual([200, 10]);
    const parts = (await rows()).filter(({ id }) => messageIds.includes(String(id)));
    expect(parts.map(({ chat, text }) => [chat, text])).toEqual(messageIds.map((_, at) => [group, `number ${at}`]));
    const albums = new Set(parts.map((row) => row[platform === "telegram" ? "groupedId" : "albumId"]));
    expect([albums.size, albums.has(undefined)]).toEqual([1, false]);
  });

  it("an album with a file that cannot be downloaded sends nothing", async () => {
    const before = (await rows()).length;
    const broken = { image: { url: side().fileUrl("none.jpg"), mimetype: "image/jpeg" } };
    expect(await send("album", { items: [image("a"), broken] })).toMatchObject({ status: 500 });
    expect(await rows()).toHaveLength(before);
  });

  it("an album whose reply is lost arrives once, with its ids", async () => {
    const before = (await rows()).length;
    const method = platform === "telegram" ? "messages.sendMultiMedia" : "message";
    await side().fault({ account: "alice", kind: "lost-ack", method, times: 1 });
    const { status, body } = await send("album", { items: [image("lost"), image("and found")] });
    const added = (await rows()).slice(before).filter(({ kind }) => kind === "image");
    expect([status, body]).toEqual([200, { messageIds: added.map(({ id }) => id) }]);
    expect(added).toHaveLength(2);
  });

  it.each([
    ["voice", () => ({ audio: { url: side().fileUrl("voice.ogg"), mimetype: "audio/ogg", duration: 1 } })],
    ["album", () => ({ items: [image("once"), video("")] })],
    ["sticker", () => ({ image: { url: side().fileUrl("photo.jpg"), mimetype: "image/jpeg" } })],
    ["poll", () => ({ question: "Once?", options: ["yes", "no"] })],
  ] as const)("a %s that is repeated with its key is sent once", async (call, body) => {
    const before = (await rows()).length;
    const key = { "idempotency-key": randomUUID() };
    const first = await send(call, body(), key);
    const second = await send(call, body(), key);
    expect(first.status).toBe(200);
    expect([second.status, second.body, second.headers.get("idempotency-replayed")]).toEqual([200, first.body, "true"]);
    // An album has two messages, and on WhatsApp also a header.
    const added = call !== "album" ? 1 : platform === "whatsapp" ? 3 : 2;
    expect(await rows()).toHaveLength(before + added);
  });
});
