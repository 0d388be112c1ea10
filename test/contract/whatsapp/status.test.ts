import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { expectJpeg, WhatsAppSide } from "../../harness/whatsapp-side.js";
import { contactPerson } from "../../sandbox/whatsapp/world/person.js";

/** POST /status: checks the content, and who can read it under each privacy setting of the account's phone. */
let gateway: TestCluster;
let platform: WhatsAppSide;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new WhatsAppSide(gateway);
});
afterAll(() => gateway.stop());

const notSynced = 'contacts not synced, reconnect the session or set status privacy to "only share with"';

/** The address book arrives within seconds of the login. Until then the documented error is returned. */
async function bookOf(caller: Caller): Promise<void> {
  await eventually("the address book", async () => {
    const { status, body } = await caller.send("POST", "/status", { type: "text", text: "anybody?" });
    if (status !== 200) expect(body).toEqual({ statusCode: 500, message: notSynced });
    return status === 200;
  });
}

describe("what is posted", () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await loggedIn(gateway, "alice", "whatsapp");
    await bookOf(caller);
  });

  it("text on dark green", async () => {
    const row = await platform.sent(caller, "alice", "/status", { type: "text", text: "Hello 👋 你好" });
    expect(row).toMatchObject({ chat: "status@broadcast", kind: "text", text: "Hello 👋 你好", background: "#054640" });
    // The audience is 90 contacts, the accounts that know each other, and the own phone.
    expect(row.audience.length).toBeGreaterThan(90);
    expect(row.audience).toContain(contactPerson(0, 89).phone);
    expect(row.audience).toContain(await platform.phoneOf("alice"));
  });

  it("an image, compressed, with its caption", async () => {
    const { url, size } = await platform.file("photo.jpg");
    const { file, kind, text } = await platform.sent(caller, "alice", "/status", {
      type: "image",
      text: "cap",
      image: { url, mimetype: "image/jpeg" },
    });
    expect({ kind, text, mimetype: file?.mimetype }).toEqual({ kind: "image", text: "cap", mimetype: "image/jpeg" });
    expect(Math.max(file?.width ?? 0, file?.height ?? 0)).toBeLessThanOrEqual(1600);
    expect(file?.size).toBeLessThan(size);
    expectJpeg(file?.thumbnail);
  });

  it.each([
    ["photo.png", "image/png"],
    ["photo.webp", "image/webp"],
  ])("an image %s becomes a JPEG", async (name, mimetype) => {
    const row = await platform.sent(caller, "alice", "/status", { type: "image", image: { url: platform.fileUrl(name), mimetype } });
    expect(row).toMatchObject({ kind: "image", text: "", file: { mimetype: "image/jpeg", width: expect.any(Number) as number } });
    expectJpeg(row.file?.thumbnail);
  });

  it("an image with the caller's thumbnail", async () => {
    const thumbnailOf = async (image: object): Promise<string | undefined> =>
      (
        await platform.sent(caller, "alice", "/status", {
          type: "image",
          image: { url: platform.fileUrl("photo.jpg"), mimetype: "image/jpeg", ...image },
        })
      ).file?.thumbnail?.sha256;
    const own = await thumbnailOf({ thumbnail: "" });
    expect(await thumbnailOf({ thumbnail: platform.fileUrl("photo.webp") })).not.toBe(own);
  });

  it("a video with a caption and the caller's duration", async () => {
    const video = { url: platform.fileUrl("video.mp4"), mimetype: "video/mp4", duration: 17.5 };
    expect(await platform.sent(caller, "alice", "/status", { type: "video", text: "watch", video })).toMatchObject({
      kind: "video",
      text: "watch",
      file: { duration: 18 },
    });
  });

  it("a video as it is, with a thumbnail made of it", async () => {
    const { url, size, sha256 } = await platform.file("video.mp4");
    const row = await platform.sent(caller, "alice", "/status", { type: "video", video: { url, mimetype: "video/mp4", duration: 3 } });
    expect(row).toMatchObject({ kind: "video", text: "", file: { sha256, size, mimetype: "video/mp4", duration: 3 } });
    const { width = 0, height = 0 } = row.file?.thumbnail ?? {};
    // The video is upright, so its first frame is too.
    expect(height).toBeGreaterThan(width);
  });

  it("an image that compressing would only make larger, as it was", async () => {
    const { url, size, sha256 } = await platform.file("small.jpg");
    const { file } = await platform.sent(caller, "alice", "/status", { type: "image", image: { url, mimetype: "image/jpeg" } });
    expect(file).toMatchObject({ mimetype: "image/jpeg", size, sha256, width: 800, height: 600 });
  });

  it.each([
    ["document.pdf", "application/pdf", {}],
    ["page.jpg", "text/html", { thumbnail: "photo.png" }],
  ])("no video that is none, such as %s: 500", async (name, found, { thumbnail }: { thumbnail?: string }) => {
    const video = {
      url: platform.fileUrl(name),
      mimetype: "video/mp4",
      duration: 3,
      ...(thumbnail === undefined ? {} : { thumbnail: platform.fileUrl(thumbnail) }),
    };
    const answer = await caller.send("POST", "/status", { type: "video", video });
    expect(answer).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: `error parser file from url unsupported video format, found ${found}` },
    });
  });

  it("a video with the caller's thumbnail", async () => {
    const video = { url: platform.fileUrl("video.mp4"), mimetype: "video/mp4", duration: 3, thumbnail: platform.fileUrl("photo.png") };
    const { file } = await platform.sent(caller, "alice", "/status", { type: "video", video });
    expect(file?.thumbnail?.width ?? 0).toBeGreaterThan(file?.thumbnail?.height ?? 0);
  });

  it.each<[string, string, RegExp]>([
    ["a file that is gone", "gone.jpg", /^error parser file from url 404 Not Found$/],
    ["a picture that is none", "broken.jpg", /^error compress image: ./],
    ["a picture that is too large", "bomb.png", /^error compress image: image is too large$/],
  ])("%s: 500", async (_, name, message) => {
    const answer = await caller.send("POST", "/status", { type: "image", image: { url: platform.fileUrl(name), mimetype: "image/jpeg" } });
    expect(answer).toMatchObject({ status: 500, body: { statusCode: 500, message: expect.stringMatching(message) as string } });
  });
});

describe("who can read it", () => {
  const audienceOf = async (account: string): Promise<readonly string[]> => {
    const caller = await loggedIn(gateway, account, "whatsapp");
    await bookOf(caller);
    return (await platform.sent(caller, account, "/status", { type: "text", text: "for you" })).audience;
  };
  const phones = (index: number, ...numbers: number[]): string[] => numbers.map((n) => contactPerson(index, n).phone);

  it("my contacts except: the address book without those", async () => {
    const audience = await audienceOf("bob");
    expect(audience).toEqual(expect.arrayContaining([...phones(1, 2, 3, 29), await platform.phoneOf("bob")]));
    for (const phone of phones(1, 0, 1)) expect(audience).not.toContain(phone);
  });

  it("my contacts except, where the platform names the excepted by their anonymous ids", async () => {
    const audience = await audienceOf("ivan");
    expect(audience).toEqual(expect.arrayContaining(phones(8, 0, 1, 3)));
    expect(audience).not.toContain(contactPerson(8, 2).phone);
  });

  it("only share with: those alone, and the own phone", async () => {
    expect([...(await audienceOf("carol"))].sort()).toEqual([...phones(2, 0, 1, 2), await platform.phoneOf("carol")].sort());
  });

  it("a setting that the platform does not know: my contacts", async () => {
    expect(await audienceOf("erin")).toEqual(expect.arrayContaining(phones(4, 0, 29)));
  });

  it("an address book whose keys came without history", async () => {
    expect(await audienceOf("lina")).toEqual(expect.arrayContaining(phones(11, 0, 29)));
  });

  it.each([
    ["dave", 'status privacy "only share with" has no contacts'],
    ["frank", notSynced],
  ])("%s: 500 %s", async (account, message) => {
    const caller = await loggedIn(gateway, account, "whatsapp");
    expect(await caller.send("POST", "/status", { type: "text", text: "x" })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message },
    });
    expect(await platform.received(account, "status")).toEqual([]);
  });

  it("what is chosen on the phone holds for the next status", async () => {
    const caller = await loggedIn(gateway, "dave", "whatsapp");
    const audienceNow = async (): Promise<readonly string[]> =>
      (await platform.sent(caller, "dave", "/status", { type: "text", text: "now" })).audience;
    const own = await platform.phoneOf("dave");
    await platform.post("/phone/settings", { account: "dave", statusPrivacy: "whitelist", users: phones(3, 4) });
    expect([...(await audienceNow())].sort()).toEqual([...phones(3, 4), own].sort());
    await platform.post("/phone/settings", { account: "dave", statusPrivacy: "blacklist", users: phones(3, 4) });
    await bookOf(caller);
    const except = await audienceNow();
    expect(except).toEqual(expect.arrayContaining([...phones(3, 3, 5), own]));
    expect(except).not.toContain(phones(3, 4)[0]);
    await platform.post("/phone/settings", { account: "dave", statusPrivacy: "contacts" });
    expect(await audienceNow()).toEqual(expect.arrayContaining([...phones(3, 3, 4, 5), own]));
  });

  it("an address book that comes late is enough", async () => {
    const caller = await loggedIn(gateway, "frank", "whatsapp");
    expect((await platform.post("/phone/settings", { account: "frank", sync: true })).status).toBe(200);
    await eventually("a status", async () => (await caller.send("POST", "/status", { type: "text", text: "at last" })).status === 200);
    const [row] = (await platform.received("frank", "status")).filter(({ text }) => text === "at last");
    expect(row?.audience).toEqual(expect.arrayContaining(phones(5, 0, 29)));
  });

  it("only share with works without any address book", async () => {
    const caller = await loggedIn(gateway, "grace", "whatsapp");
    await platform.post("/phone/settings", { account: "grace", statusPrivacy: "whitelist", users: [contactPerson(1, 7).phone] });
    const { audience } = await platform.sent(caller, "grace", "/status", { type: "text", text: "for one" });
    expect([...audience].sort()).toEqual([contactPerson(1, 7).phone, await platform.phoneOf("grace")].sort());
  });
});
