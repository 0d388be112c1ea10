import { createHash, randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isSessionId } from "../../../shared/contract/ids.js";
import type { ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import type { MediaAddress } from "../../../shared/contract/media.js";
import { chunkBytes } from "../../../shared/limits.js";
import { LinkKeys } from "../../../shared/media/link.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { TelegramSide } from "../../harness/telegram-side.js";
import { syntheticBytes } from "../../sandbox/files/synthetic-bytes.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";

/** Opens every variant of every kind of file, and links whose file is gone. */
const keyText = `a:${randomBytes(32).toString("base64")}`;
const keys = LinkKeys.parse(keyText);
let gateway: TestCluster;
let platform: TelegramSide;
let alice: Caller;
let posts: Map<string, ChannelMessage>;
const mediaChannel = `-100${sharedChats.mediaChannel}`;

beforeAll(async () => {
  gateway = await startCluster({ env: { MEDIA_KEYS: keyText } });
  platform = new TelegramSide(gateway);
  alice = await loggedIn(gateway, "alice");
  const { docs } = (await alice.get(`/channel/message?channelId=${mediaChannel}&limit=100`)).body as { docs: ChannelMessage[] };
  posts = new Map(docs.map((message) => [message.id, message]));
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const open = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(url, gateway.telegram[0]), { headers, signal: AbortSignal.timeout(120_000) });
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const outcome = async (answer: Response): Promise<unknown> => [answer.status, answer.headers.get("retry-after"), await answer.json()];
const notFound = [404, null, { statusCode: 404, message: "media not found" }];

/** Signs a link as the service does, for media that no list of the gateway shows. */
function signed(address: MediaAddress, ext = "jpg", { id } = alice.credentials): string {
  if (!isSessionId(id)) throw new Error("no session id");
  return `/telegram${keys.sign(id, address, ext)}`;
}

interface Stocked {
  chatId: string;
  messageId: string;
  kind: string;
  mimetype: string;
  dcId: number;
  size: number;
  sha256?: string;
  fileId: string;
  thumbnail?: { width: number; height: number; size: number; sha256: string };
}
const stock = async (): Promise<Stocked[]> => (await platform.docs("/media?platform=telegram")) as unknown as Stocked[];

async function postOf(wanted: (doc: Stocked) => boolean): Promise<{ doc: Stocked; message: ChannelMessage }> {
  const doc = (await stock()).find(wanted);
  const message = posts.get(doc?.messageId ?? "");
  if (doc === undefined || message === undefined) throw new Error("the channel holds no such media");
  return { doc, message };
}

/** Sends a message to the account's chat with Bob, which no list of the gateway shows. */
async function privateMedia(media: string): Promise<{ chatId: string; messageId: string }> {
  return (await platform.post("/people/send", { account: "alice", chat: "bob", media, text: "" })).body as {
    chatId: string;
    messageId: string;
  };
}

describe("variants", () => {
  it("every small file and its thumbnail, byte by byte, of every kind and of every data centre", async () => {
    const docs = (await stock()).filter((doc) => doc.sha256 !== undefined);
    expect(new Set(docs.map(({ kind }) => kind))).toEqual(new Set(["photo", "sticker", "video", "document", "audio"]));
    expect(new Set(docs.map(({ dcId }) => dcId)).size).toBeGreaterThan(1);
    for (const { messageId, kind, mimetype, size, sha256: digest, thumbnail } of docs) {
      const { url = "", thumbnail: small = "" } = posts.get(messageId) ?? {};
      const answer = await open(url);
      expect([
        answer.status,
        answer.headers.get("content-type"),
        answer.headers.get("content-length"),
        answer.headers.get("accept-ranges"),
        answer.headers.get("cache-control"),
      ]).toEqual([200, mimetype, String(size), "bytes", "public, max-age=86400"]);
      expect(sha256(await bytesOf(answer)), `${kind} ${messageId}`).toBe(digest);
      expect(small === "", `${kind} ${messageId}`).toBe(thumbnail === undefined);
      if (thumbnail === undefined) continue;
      const preview = await open(small);
      expect([preview.status, preview.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
      expect(sha256(await bytesOf(preview))).toBe(thumbnail.sha256);
    }
  });

  it.each<[string, "url" | "thumbnail", number]>([
    ["photo", "url", 2560],
    ["photo", "thumbnail", 800],
    ["video", "thumbnail", 320],
  ])("%s, %s: %i pixels", async (kind, field, side) => {
    const { message } = await postOf((doc) => doc.kind === kind);
    const { width, height, format } = await sharp(await bytesOf(await open(message[field]))).metadata();
    expect([format, Math.max(width, height)]).toEqual(["jpeg", side]);
  });

  it.each([
    ["photo", /\/photo\/[\w-]{28}\.jpg$/, /\/thumb\/[\w-]{28}\.jpg$/, /^inline/],
    ["video", /\/file\/[\w-]{28}\.mp4$/, /\/thumb\/[\w-]{28}\.jpg$/, /^inline/],
    ["sticker", /\/file\/[\w-]{28}\.webp$/, /^$/, /^inline/],
    ["document", /\/file\/[\w-]{28}\.pdf$/, /^$/, /^attachment/],
  ])("a %s has links of its own form", async (kind, url, thumbnail, disposition) => {
    const { message } = await postOf((doc) => doc.kind === kind);
    expect(message.url).toMatch(url);
    expect(message.thumbnail).toMatch(thumbnail);
    const answer = await open(message.url, { range: "bytes=0-0" });
    expect([answer.status, (await bytesOf(answer)).length, answer.headers.get("content-disposition")]).toEqual([
      206,
      1,
      expect.stringMatching(disposition),
    ]);
  });

  it("a photo and a video of a private chat", async () => {
    const photo = await bytesOf(await open(signed({ ...(await privateMedia("photo")), variant: "photo" })));
    expect(sha256(photo)).toBe((await postOf((doc) => doc.kind === "photo")).doc.sha256);
    const film = await open(signed({ ...(await privateMedia("video")), variant: "file" }, "mp4"), { range: "bytes=0-9" });
    expect([film.status, film.headers.get("content-type"), (await bytesOf(film)).length]).toEqual([206, "video/mp4", 10]);
  });

  it.each([
    ["a photo's file", "photo", "file"],
    ["a document's photo", "document", "photo"],
    ["a document's thumbnail, when it has none", "document", "thumb"],
  ] as const)("404 for %s", async (_, kind, variant) => {
    const { doc } = await postOf((one) => one.kind === kind);
    expect(await outcome(await open(signed({ chatId: doc.chatId, messageId: doc.messageId, variant })))).toEqual(notFound);
  });
});

describe("profile", () => {
  /** The sandbox numbers an owner's photos from here. */
  const photoId = (ownerId: number, version: number): string => String(1_000_000_000_000_000 + version * 10_000_000_000 + ownerId);
  const link = (chatId: string, ownerId: number, version: number): string =>
    signed({ chatId, messageId: photoId(ownerId, version), variant: "profile" });

  it("the small photo of a channel, a supergroup, a basic group and a person", async () => {
    const bob = Number((await platform.docs("/accounts?platform=telegram")).find(({ account }) => account === "bob")?.["userId"]);
    const owners: [string, number][] = [
      [mediaChannel, sharedChats.mediaChannel],
      [`-100${sharedChats.publicGroup}`, sharedChats.publicGroup],
      [`-${sharedChats.familyGroup}`, sharedChats.familyGroup],
      [String(bob), bob],
    ];
    for (const [chatId, ownerId] of owners) {
      const answer = await open(link(chatId, ownerId, 0));
      expect([chatId, answer.status, answer.headers.get("content-type")]).toEqual([chatId, 200, "image/jpeg"]);
      expect(await sharp(await bytesOf(answer)).metadata()).toMatchObject({ format: "jpeg", width: 160, height: 160 });
    }
  });

  it("a new photo has a new link; the old one leads nowhere", async () => {
    const [chat, id] = [`-100${sharedChats.slowGroup}`, sharedChats.slowGroup];
    expect(await outcome(await open(link(chat, id, 1)))).toEqual(notFound);
    await platform.post("/people/photo", { account: "alice", chat });
    expect((await open(link(chat, id, 1))).status).toBe(200);
    expect(await outcome(await open(link(chat, id, 0)))).toEqual(notFound);
  });

  it("404 for a chat without a photo", async () => {
    expect(await outcome(await open(link(`-${sharedChats.trapGroup}`, sharedChats.trapGroup, 0)))).toEqual(notFound);
  });
});

describe("media that is gone", () => {
  it("404 when the message was deleted", async () => {
    const kept = await privateMedia("photo");
    const { chatId, messageId } = await privateMedia("photo");
    await platform.post("/people/delete", { account: "alice", chat: "bob", messageId });
    expect(await outcome(await open(signed({ chatId, messageId, variant: "photo" })))).toEqual(notFound);
    expect((await open(signed({ ...kept, variant: "photo" }))).status).toBe(200);
  });

  it.each([
    ["a private chat", "bob"],
    ["a channel", mediaChannel],
  ])("404 for a link of %s that was opened before, as soon as the platform has told", async (_, chat) => {
    const { messageId } = (await platform.post("/people/send", { account: "alice", chat, media: "photo", text: "" })).body as {
      messageId: string;
    };
    const chatId = chat === "bob" ? (await privateMedia("photo")).chatId : chat;
    const [gone, kept] = [signed({ chatId, messageId, variant: "photo" }), signed({ ...(await privateMedia("photo")), variant: "photo" })];
    for (const link of [gone, gone, kept]) expect((await open(link)).status).toBe(200);
    await platform.post("/people/delete", { account: "alice", chat, messageId });
    // This is shorter than the minute after which the gateway would query the platform again.
    await eventually("the link's end", async () => (await open(gone)).status === 404, 20_000);
    expect(await outcome(await open(gone))).toEqual(notFound);
    expect((await open(kept)).status).toBe(200);
  });

  it.each([
    ["reset", (caller: Caller) => caller.send("POST", "/session/reset")],
    ["removed from the account's devices", (caller: Caller) => caller.phone("/phone/unlink", { platform: "telegram", account: "grace" })],
  ])("500 when its session was %s, although all of it is cached", async (_, end) => {
    const grace = await loggedIn(gateway, "grace");
    const { doc } = await postOf((one) => one.kind === "photo");
    const link = signed({ chatId: doc.chatId, messageId: doc.messageId, variant: "photo" }, "jpg", grace.credentials);
    for (let time = 0; time < 2; time++) expect((await open(link)).status).toBe(200);
    await end(grace);
    await eventually("the link's end", async () => (await open(link)).status === 500, 20_000);
    expect(await outcome(await open(link))).toEqual([500, null, { statusCode: 500, message: "session not connected" }]);
  });

  it("opens again once an account is logged in again, and shows an account no other's private file", async () => {
    const grace = await loggedIn(gateway, "grace");
    const { doc } = await postOf((one) => one.kind === "photo");
    const sent = await platform.post("/people/send", { account: "grace", chat: "bob", media: "photo", text: "" });
    const { chatId, messageId } = sent.body as { chatId: string; messageId: string };
    const ofChannel = signed({ chatId: doc.chatId, messageId: doc.messageId, variant: "photo" }, "jpg", grace.credentials);
    const ofGrace = signed({ chatId, messageId, variant: "photo" }, "jpg", grace.credentials);
    const statuses = async (): Promise<number[]> => [(await open(ofChannel)).status, (await open(ofGrace)).status];
    expect(await statuses()).toEqual([200, 200]);
    const loginAs = async (account: string): Promise<void> => {
      await grace.send("POST", "/session/reset");
      await eventually("the links' end", async () => (await statuses()).every((status) => status === 500), 20_000);
      expect((await grace.scan(account)).status).toBe(200);
      await eventually(`${account} connected`, async () => (await grace.record()).isConnected);
    };
    await loginAs("grace");
    await eventually("both again", async () => (await statuses()).join() === "200,200");
    await loginAs("heidi");
    await eventually("the private one's end", async () => (await statuses())[1] === 404);
  });

  it("404 when a channel's message was deleted", async () => {
    const { messageId } = (await platform.post("/people/send", { account: "alice", chat: mediaChannel, media: "photo", text: "" }))
      .body as { messageId: string };
    const { docs } = (await alice.get(`/channel/message?channelId=${mediaChannel}&limit=1`)).body as { docs: ChannelMessage[] };
    expect(docs[0]).toMatchObject({ id: messageId, type: "image" });
    await platform.post("/people/delete", { account: "alice", chat: mediaChannel, messageId });
    expect(await outcome(await open(docs[0]?.url ?? ""))).toEqual(notFound);
  });

  it.each<[string, Partial<MediaAddress>]>([
    ["a message that never was", { messageId: "999999" }],
    ["a chat that the account does not know", { chatId: "-1009999999999" }],
    ["a private message that stands in another chat", { chatId: `-${sharedChats.familyGroup}` }],
  ])("404 for %s", async (_, changed) => {
    const message = await privateMedia("photo");
    expect(await outcome(await open(signed({ ...message, variant: "photo", ...changed })))).toEqual(notFound);
  });

  it("404 when its session was deleted", async () => {
    const frank = await loggedIn(gateway, "frank");
    const { doc } = await postOf((one) => one.kind === "photo");
    const link = signed({ chatId: doc.chatId, messageId: doc.messageId, variant: "photo" }, "jpg", frank.credentials);
    expect((await open(link)).status).toBe(200);
    await frank.send("DELETE", "/session");
    expect(await outcome(await open(link))).toEqual(notFound);
  });
});

describe("what the platform wants first", () => {
  it("a new file reference: it is fetched with the message, and the file goes on", async () => {
    const { doc, message } = await postOf(({ size }) => size === 64 * 1024 * 1024);
    const at = 90 * chunkBytes;
    const part = { range: `bytes=${at}-${at + 99}` };
    expect((await open(message.url, { range: "bytes=0-0" })).status).toBe(206);
    await platform.fault({ account: "alice", kind: "expired-reference" });
    const answer = await open(message.url, part);
    expect(answer.status).toBe(206);
    expect((await bytesOf(answer)).equals(syntheticBytes(doc.fileId, at, 100))).toBe(true);
  });

  it("another data centre: the file is followed there", async () => {
    const { doc, message } = await postOf(({ size }) => size === 64 * 1024 * 1024);
    const at = 91 * chunkBytes;
    await platform.fault({ account: "alice", kind: "error", error: "303 FILE_MIGRATE_2", method: "upload.getFile" });
    expect((await bytesOf(await open(message.url, { range: `bytes=${at}-${at + 99}` }))).equals(syntheticBytes(doc.fileId, at, 100))).toBe(
      true,
    );
  });

  it.each([
    ["FLOOD_WAIT_9", 9],
    ["FLOOD_PREMIUM_WAIT_14", 14],
  ])("%s on a part: 503 at once, with Retry-After", async (error, seconds) => {
    const { message } = await postOf(({ size }) => size === 64 * 1024 * 1024);
    await platform.fault({ account: "alice", kind: "error", error: `420 ${error}`, method: "upload.getFile" });
    expect(await outcome(await open(message.url, { range: `bytes=${(100 + seconds) * chunkBytes}-` }))).toEqual([
      503,
      String(seconds),
      { statusCode: 503, message: `telegram asked to wait ${seconds}s` },
    ]);
  });

  it.each(["messages.getMessages", "channels.getMessages"])("a wait before %s: 503 at once, with Retry-After", async (method) => {
    const isChannel = method.startsWith("channels");
    const { messageId, chatId } = (
      await platform.post("/people/send", { account: "alice", chat: isChannel ? mediaChannel : "bob", media: "photo", text: "" })
    ).body as { messageId: string; chatId: string };
    await platform.fault({ account: "alice", kind: "flood-wait", seconds: 7, method });
    const link = signed({ chatId, messageId, variant: "photo" });
    expect(await outcome(await open(link))).toEqual([503, "7", { statusCode: 503, message: "telegram asked to wait 7s" }]);
    expect((await open(link)).status).toBe(200);
  });

  it("silence before the message comes: 503 with Retry-After", async () => {
    const message = await privateMedia("photo");
    await platform.fault({ account: "alice", kind: "stall", method: "messages.getMessages" });
    expect(await outcome(await open(signed({ ...message, variant: "photo" })))).toEqual([
      503,
      expect.stringMatching(/^[1-9]\d*$/),
      { statusCode: 503, message: "telegram did not answer the media request in time" },
    ]);
  });
});
