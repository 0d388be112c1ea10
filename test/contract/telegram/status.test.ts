import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramSide } from "../../harness/telegram-side.js";

/** POST /status: checks what the platform receives, and the responses when the platform rejects it or stays silent. */
let gateway: TestCluster;
let platform: TelegramSide;
let caller: Caller;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new TelegramSide(gateway);
  caller = await loggedIn(gateway, "bob");
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const stories = () => platform.received("bob", "story");
const post = (body: object): Promise<ApiResponse> => caller.send("POST", "/status", body);
const text = (privacy?: string): object => ({ type: "text", text: "Hello 👋", ...(privacy === undefined ? {} : { privacy }) });

async function posted(body: object) {
  const before = (await stories()).length;
  const answer = await post(body);
  expect([answer.status, answer.body]).toEqual([200, { statusId: expect.stringMatching(/^\d+$/) as string }]);
  const rows = await stories();
  expect(rows).toHaveLength(before + 1);
  const row = rows.find(({ id }) => id === (answer.body as { statusId: string }).statusId);
  if (row === undefined) throw new Error("the platform has no story of this id");
  return row;
}

describe("what is posted", () => {
  it.each([
    [undefined, "contacts"],
    ["contacts", "contacts"],
    ["everyone", "everyone"],
    ["close_friends", "close_friends"],
  ])("privacy %s: the platform hears %s, for a day", async (privacy, heard) => {
    expect(await posted(text(privacy))).toMatchObject({ privacy: heard, period: 86_400, chat: expect.stringMatching(/^\d+$/) as string });
  });

  it.each([
    ["a word", "Hi"],
    ["a long text", "All work and no play. ".repeat(40)],
    ["more text than fits", "All work and no play. ".repeat(2_000)],
  ])("%s as a picture of 1080 x 1920, without a caption", async (_, words) => {
    expect(await posted({ type: "text", text: words })).toMatchObject({
      kind: "image",
      caption: "",
      file: { mimetype: "image/jpeg", width: 1080, height: 1920 },
    });
  });

  it.each(["photo.jpg", "photo.png", "photo.webp"])("%s scaled to at most 1080, with and without a caption", async (name) => {
    const image = { url: platform.fileUrl(name), mimetype: `image/${name.slice(6)}` };
    const { file, caption, kind } = await posted({ type: "image", text: "Look 👀", image });
    expect([kind, caption, file.mimetype, Math.max(file.width ?? 0, file.height ?? 0)]).toEqual(["image", "Look 👀", "image/jpeg", 1080]);
    expect(await posted({ type: "image", image })).toMatchObject({ caption: "" });
  });

  it("an image that compressing would only make larger, as it was", async () => {
    const { url, size, sha256 } = await platform.file("small.jpg");
    expect((await posted({ type: "image", image: { url, mimetype: "image/jpeg" } })).file).toMatchObject({
      size,
      sha256,
      width: 800,
      height: 600,
    });
  });

  it.each([
    ["no thumbnail", {}],
    ["an empty thumbnail", { thumbnail: "" }],
  ])("a video with %s: as it is, with its first frame", async (_, more) => {
    const { url, size, sha256 } = await platform.file("video.mp4");
    const { file, kind } = await posted({ type: "video", text: "Film", video: { url, mimetype: "video/mp4", duration: 3, ...more } });
    expect(kind).toBe("video");
    expect(file).toMatchObject({ mimetype: "video/mp4", size, sha256, duration: 3, thumbnail: { mimetype: "image/jpeg" } });
    // The video is upright, so its first frame is too.
    expect(file.thumbnail?.height ?? 0).toBeGreaterThan(file.thumbnail?.width ?? 0);
  });

  it("a video with the caller's thumbnail", async () => {
    const video = { url: platform.fileUrl("video.mp4"), mimetype: "video/mp4", duration: 3, thumbnail: platform.fileUrl("photo.png") };
    const { file } = await posted({ type: "video", video });
    expect(file.thumbnail?.width ?? 0).toBeGreaterThan(file.thumbnail?.height ?? 0);
  });
});

describe("what is refused", () => {
  it("characters that no font has: named, and nothing is posted", async () => {
    const before = (await stories()).length;
    const answer = await post({ type: "text", text: "Hi \u{1d54f} \u{12000}\u{13000} \ue000 \u{12000}" });
    const message = "text has characters that cannot be drawn: \u{12000} (U+12000), \u{13000} (U+13000), \ue000 (U+E000)";
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
    expect(await stories()).toHaveLength(before);
  });

  it.each<[string, object, RegExp]>([
    [
      "an image that is gone",
      { type: "image", image: { url: "FILES/gone.jpg", mimetype: "image/jpeg" } },
      /^error parser file from url 404 Not Found$/,
    ],
    [
      "a video that is gone",
      { type: "video", video: { url: "FILES/gone.mp4", mimetype: "video/mp4", duration: 1 } },
      /^error parser file from url 404 Not Found$/,
    ],
    [
      "a thumbnail that is gone",
      { type: "video", video: { url: "FILES/video.mp4", mimetype: "video/mp4", duration: 1, thumbnail: "FILES/gone.jpg" } },
      /^error parser file from url 404 Not Found$/,
    ],
    [
      "an address that nobody may reach",
      { type: "image", image: { url: "http://127.0.0.1:1/a.jpg", mimetype: "image/jpeg" } },
      /^error parser file from url blocked address: it is not public$/,
    ],
    ["a text that is no address", { type: "image", image: { url: "photo.jpg", mimetype: "image/jpeg" } }, /^error parser file from url ./],
    [
      "a picture that is damaged",
      { type: "image", image: { url: "FILES/broken.jpg", mimetype: "image/jpeg" } },
      /^error compress image: ./,
    ],
    [
      "a picture of another kind",
      { type: "image", image: { url: "FILES/document.pdf", mimetype: "image/jpeg" } },
      /^error compress image: ./,
    ],
    ["a picture that would burst", { type: "image", image: { url: "FILES/bomb.png", mimetype: "image/png" } }, /^error compress image: ./],
    [
      "a video that is none, with a thumbnail",
      { type: "video", video: { url: "FILES/page.jpg", mimetype: "video/mp4", duration: 1, thumbnail: "FILES/photo.jpg" } },
      /^error compress image: unsupported video format, found text\/html$/,
    ],
    [
      "a video that is none",
      { type: "video", video: { url: "FILES/document.pdf", mimetype: "video/mp4", duration: 1 } },
      /^error compress image: ./,
    ],
    [
      "a caption that is too long",
      { type: "image", text: "x".repeat(2_049), image: { url: "FILES/photo.jpg", mimetype: "image/jpeg" } },
      /^400: MEDIA_CAPTION_TOO_LONG \(caused by stories\.SendStory\)$/,
    ],
  ])("%s: 500", async (_, body, message) => {
    const before = (await stories()).length;
    const answer = await post(JSON.parse(JSON.stringify(body).replaceAll("FILES", platform.fileUrl("").slice(0, -1))) as object);
    expect([answer.status, answer.body]).toEqual([500, { statusCode: 500, message: expect.stringMatching(message) as string }]);
    expect(await stories()).toHaveLength(before);
  });

  it.each([
    ["STORIES_TOO_MUCH", "400: STORIES_TOO_MUCH (caused by stories.SendStory)"],
    ["STORY_SEND_FLOOD_WEEKLY_86400", "400: STORY_SEND_FLOOD_WEEKLY_86400 (caused by stories.SendStory)"],
    ["PEER_FLOOD", "400: PEER_FLOOD (caused by stories.SendStory)"],
    ["USER_IS_BLOCKED", "400: USER_IS_BLOCKED (caused by stories.SendStory)"],
    ["YOU_BLOCKED_USER", "400: YOU_BLOCKED_USER (caused by stories.SendStory)"],
    ["CHAT_WRITE_FORBIDDEN", "403: CHAT_WRITE_FORBIDDEN (caused by stories.SendStory)"],
    ["PRIVACY_PREMIUM_REQUIRED", "406: PRIVACY_PREMIUM_REQUIRED (caused by stories.SendStory)"],
    ["SLOWMODE_WAIT_12", "420: SLOWMODE_WAIT_12 (caused by stories.SendStory)"],
    ["FLOOD_WAIT_60", "A wait of 60 seconds is required (caused by stories.SendStory)"],
    ["FLOOD_PREMIUM_WAIT_3600", "A wait of 3600 seconds is required (caused by stories.SendStory)"],
    ["SOMETHING_NEW", "400: SOMETHING_NEW (caused by stories.SendStory)"],
  ])("the platform's %s: 500, as it is", async (error, message) => {
    const before = (await stories()).length;
    await platform.fault({ account: "bob", method: "stories.sendStory", kind: "error", error });
    expect(await post(text())).toMatchObject({ status: 500, body: { statusCode: 500, message } });
    expect(await stories()).toHaveLength(before);
  });

  it("nothing, when the platform requests a short wait, which is waited out", async () => {
    await platform.fault({ account: "bob", method: "stories.sendStory", kind: "flood-wait", seconds: 1 });
    await posted(text());
  });
});

describe("at most once", () => {
  it("an empty id when the platform does not return it, although the story is published", async () => {
    const before = (await stories()).length;
    await platform.fault({ account: "bob", method: "stories.sendStory", kind: "gap" });
    expect(await post(text())).toMatchObject({ status: 200, body: { statusId: "" } });
    expect(await stories()).toHaveLength(before + 1);
  });

  it("500 when the platform's response is lost with the connection; one story, also after the reconnect", async () => {
    const before = (await stories()).length;
    await platform.fault({ account: "bob", method: "stories.sendStory", kind: "lost-ack" });
    expect(await post(text())).toMatchObject({ status: 500, body: { statusCode: 500, message: "internal server error" } });
    await eventually("connected again", async () => (await caller.get("/channel")).status === 200);
    await posted(text());
    expect(await stories()).toHaveLength(before + 2);
  });

  it("500 session not connected when the connection is gone before anything was sent", async () => {
    const before = (await stories()).length;
    await platform.fault({ account: "bob", kind: "drop", seconds: 600 });
    await eventually("disconnected", async () => !(await caller.record()).isConnected);
    expect(await post(text())).toMatchObject({ status: 500, body: { statusCode: 500, message: "session not connected" } });
    await platform.clearFaults();
    await eventually("connected again", async () => (await caller.record()).isConnected);
    // A later story is the first one that arrived.
    await posted(text());
    expect(await stories()).toHaveLength(before + 1);
  });
});
