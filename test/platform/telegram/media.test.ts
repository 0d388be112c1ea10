import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { MediaVariant } from "../../../shared/contract/media.js";
import { chunkBytes } from "../../../shared/limits.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { syntheticBytes } from "../../sandbox/files/synthetic-bytes.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";

interface MediaDoc {
  chatId: string;
  messageId: string;
  kind: string;
  mimetype: string;
  dcId: number;
  size: number;
  sha256?: string;
  fileId?: string;
  thumbnail?: { width: number; height: number; size: number; sha256: string };
}

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let media: readonly MediaDoc[];
beforeAll(async () => {
  fixture = await TelegramFixture.start({ mediaIdleMs: 2_000 });
  ({ session: alice } = await fixture.login("alice"));
  // A new login fetches its own picture with the same method as files, which must not be counted below.
  await eventually("alice's own picture", () => fixture.calls("upload.getFile") > 0);
  media = JSON.parse(JSON.stringify(fixture.sandbox.telegram.control.media?.() ?? []));
});
afterEach(() => {
  fixture.sandbox.telegram.control.clearFaults();
  fixture.chunks.clear();
});
afterAll(() => fixture.stop());

const find = (wanted: (doc: MediaDoc) => boolean): MediaDoc => {
  const found = media.find(wanted);
  if (found === undefined) throw new Error("the sandbox has no such media");
  return found;
};
const address = ({ chatId, messageId }: MediaDoc, variant: MediaVariant) => ({ chatId, messageId, variant });

async function readAll(doc: MediaDoc, variant: MediaVariant): Promise<Buffer> {
  const { size, fileKey, etag } = await fixture.run(alice, "describe-media", address(doc, variant));
  const parts: Buffer[] = [];
  for (let chunk = 0; chunk * chunkBytes < size; chunk++) {
    const { length } = await fixture.run(alice, "read-chunk", { ...address(doc, variant), fileKey, etag, chunk });
    const bytes = fixture.chunks.get(`${fileKey}:${chunk}`) ?? Buffer.alloc(0);
    expect(bytes.length).toBe(length);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

describe("describe-media", () => {
  test("returns size, type and a tag without fetching the file", async () => {
    fixture.resetCalls();
    const video = find(({ kind, size }) => kind === "video" && size > 1e9);
    const description = await fixture.run(alice, "describe-media", address(video, "file"));
    expect(description).toMatchObject({ size: video.size, mimetype: "video/mp4", name: "film.mp4" });
    expect(description.fileKey).toMatch(/^[0-9a-f]{32}$/);
    expect(fixture.calls("upload.getFile")).toBe(0);
  });

  test.each([
    ["a message that does not exist", { chatId: "", messageId: "999999", variant: "file" as const }],
    ["a variant that the message has not", { chatId: "", messageId: "1", variant: "file" as const }],
    ["a message id that cannot be", { chatId: "", messageId: "99999999999999", variant: "photo" as const }],
    ["a chat that is not known", { chatId: "-1003999999997", messageId: "1", variant: "photo" as const }],
  ])("says media not found for %s", async (_what, wanted) => {
    const chatId = wanted.chatId || find(({ kind }) => kind === "photo").chatId;
    await expect(fixture.run(alice, "describe-media", { ...wanted, chatId })).rejects.toMatchObject({
      status: 404,
      message: "media not found",
    });
  });
});

describe("read-chunk", () => {
  test("brings every kind of file byte by byte, from its own and other data centres", async () => {
    for (const doc of media.filter(({ sha256: digest }) => digest !== undefined)) {
      const variant = doc.kind === "photo" ? "photo" : "file";
      expect(sha256(await readAll(doc, variant)), `${doc.kind} ${doc.messageId} of data centre ${doc.dcId}`).toBe(doc.sha256);
      if (doc.thumbnail?.sha256 !== undefined) expect(sha256(await readAll(doc, "thumb"))).toBe(doc.thumbnail.sha256);
    }
    expect(new Set(media.map(({ dcId }) => dcId)).size).toBeGreaterThan(1);
  });

  test("reads a video of 64 MiB in order, and the far end of one of 1.5 GiB", async () => {
    const long = find(({ kind, size }) => kind === "video" && size === 64 * 2 ** 20);
    const { fileKey, etag, size } = await fixture.run(alice, "describe-media", address(long, "file"));
    for (let chunk = 0; chunk * chunkBytes < size; chunk++) {
      await fixture.run(alice, "read-chunk", { ...address(long, "file"), fileKey, etag, chunk });
      expect(fixture.chunks.get(`${fileKey}:${chunk}`)?.equals(syntheticBytes(long.fileId ?? "", chunk * chunkBytes, chunkBytes))).toBe(
        true,
      );
      fixture.chunks.clear();
    }
    const film = find(({ size: bytes }) => bytes > 1e9);
    const described = await fixture.run(alice, "describe-media", address(film, "file"));
    const last = Math.ceil(described.size / chunkBytes) - 1;
    await fixture.run(alice, "read-chunk", { ...address(film, "file"), ...described, chunk: last });
    const tail = fixture.chunks.get(`${described.fileKey}:${last}`) ?? Buffer.alloc(0);
    expect(tail.equals(syntheticBytes(film.fileId ?? "", last * chunkBytes, tail.length))).toBe(true);
  });

  test("fetches a chunk once for concurrent readers", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(video, "file"));
    fixture.resetCalls();
    const input = { ...address(video, "file"), fileKey, etag, chunk: 0 };
    await Promise.all([1, 2, 3, 4, 5].map(() => fixture.run(alice, "read-chunk", input)));
    expect(fixture.calls("upload.getFile")).toBe(1);
  });

  test("takes a new reference when the old one expired", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(video, "file"));
    await fixture.fault({ kind: "expired-reference", account: "alice" });
    fixture.resetCalls();
    await fixture.run(alice, "read-chunk", { ...address(video, "file"), fileKey, etag, chunk: 0 });
    expect(fixture.calls("upload.getFile")).toBe(2);
    expect(fixture.calls("channels.getMessages")).toBe(1);
  });

  test("follows a file that moved", async () => {
    const video = find(({ kind, dcId }) => kind === "video" && dcId === 1);
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(video, "file"));
    await fixture.fault({ kind: "error", error: "303 FILE_MIGRATE_2", method: "upload.getFile" });
    // The sandbox's file has not moved, so data centre 2 redirects the client back.
    await fixture.run(alice, "read-chunk", { ...address(video, "file"), fileKey, etag, chunk: 0 });
    expect(fixture.chunks.has(`${fileKey}:0`)).toBe(true);
  });

  test("passes on a flood wait at once, with its seconds", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(video, "file"));
    for (const error of ["FLOOD_WAIT_3", "FLOOD_PREMIUM_WAIT_7"]) {
      await fixture.fault({ kind: "error", error: `420 ${error}`, method: "upload.getFile" });
      const seconds = Number(error.split("_").at(-1));
      await expect(fixture.run(alice, "read-chunk", { ...address(video, "file"), fileKey, etag, chunk: 0 })).rejects.toMatchObject({
        status: 503,
        message: `telegram asked to wait ${seconds}s`,
        retryAfterSeconds: seconds,
      });
    }
  });

  test("times out after 30 seconds of silence", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(video, "file"));
    await fixture.fault({ kind: "stall", method: "upload.getFile", times: 1 });
    const startedAt = performance.now();
    await expect(fixture.run(alice, "read-chunk", { ...address(video, "file"), fileKey, etag, chunk: 0 })).rejects.toMatchObject({
      status: 503,
      message: "telegram did not answer the media request in time",
    });
    expect(performance.now() - startedAt).toBeGreaterThan(29_000);
    await fixture.run(alice, "read-chunk", { ...address(video, "file"), fileKey, etag, chunk: 0 });
  });

  test("stops when its last waiter leaves, and serves the next", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(video, "file"));
    const input = { ...address(video, "file"), fileKey, etag, chunk: 0 };
    await fixture.fault({ kind: "stall", method: "upload.getFile", times: 1 });
    fixture.resetCalls();
    const gone = new AbortController();
    const reading = fixture.run(alice, "read-chunk", input, gone.signal);
    reading.catch(() => undefined);
    await eventually("the question", () => fixture.calls("upload.getFile") > 0);
    gone.abort(new Error("client closed"));
    await expect(reading).rejects.toThrow("client closed");
    expect(alice.connector.services.chunkSource.size).toBe(0);
    await fixture.run(alice, "read-chunk", input);
  });

  test("a picture does not wait for a film that is being read", async () => {
    const film = find(({ kind, size }) => kind === "video" && size === 64 * 2 ** 20);
    const photo = find(({ kind, dcId }) => kind === "photo" && dcId === film.dcId);
    const [described, picture] = await Promise.all([
      fixture.run(alice, "describe-media", address(film, "file")),
      fixture.run(alice, "describe-media", address(photo, "photo")),
    ]);
    let read = 0;
    const film24 = Array.from({ length: 24 }, async (_, chunk) => {
      await fixture.run(alice, "read-chunk", { ...address(film, "file"), fileKey: described.fileKey, etag: described.etag, chunk });
      read += 1;
    });
    await fixture.run(alice, "read-chunk", { ...address(photo, "photo"), fileKey: picture.fileKey, etag: picture.etag, chunk: 0 });
    // Four chunks of the film were in flight before it. In a single queue behind the whole film, it would come last.
    expect(read).toBeLessThan(12);
    await Promise.all(film24);
  });

  test("requests no further parts once its reader has left", async () => {
    const film = find(({ kind, size }) => kind === "video" && size === 64 * 2 ** 20);
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(film, "file"));
    fixture.resetCalls();
    const calls = Array.from({ length: 24 }, () => new AbortController());
    const reads = calls.map(({ signal }, index) =>
      fixture.run(alice, "read-chunk", { ...address(film, "file"), fileKey, etag, chunk: 30 + index }, signal),
    );
    const settled = Promise.allSettled(reads);
    await reads[0];
    for (const call of calls) call.abort(new Error("client closed"));
    expect((await settled).some(({ status }) => status === "rejected")).toBe(true);
    expect(alice.connector.services.chunkSource.size).toBe(0);
    // One chunk was read and four were requested by now. Further requests for the film would be counted here.
    await fixture.run(alice, "read-chunk", { ...address(film, "file"), fileKey, etag, chunk: 90 });
    expect(fixture.calls("upload.getFile")).toBeLessThanOrEqual(10);
  });

  test("does not fetch a chunk that was cached just before the request", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey, etag, size } = await fixture.run(alice, "describe-media", address(video, "file"));
    const input = { ...address(video, "file"), fileKey, etag, chunk: 0, length: Math.min(size, chunkBytes) };
    fixture.resetCalls();
    await fixture.run(alice, "read-chunk", input);
    expect(await fixture.run(alice, "read-chunk", input)).toEqual({ length: input.length });
    expect(fixture.calls("upload.getFile")).toBe(1);
    fixture.chunks.clear();
    await fixture.run(alice, "read-chunk", input);
    expect(fixture.calls("upload.getFile")).toBe(2);
  });

  test("refuses a chunk of a file that the message no longer holds", async () => {
    const video = find(({ kind }) => kind === "video");
    const { fileKey } = await fixture.run(alice, "describe-media", address(video, "file"));
    await expect(
      fixture.run(alice, "read-chunk", { ...address(video, "file"), fileKey, etag: "0".repeat(32), chunk: 0 }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test("recovers from a data centre that refuses the key", async () => {
    const photo = find(({ kind, dcId }) => kind === "photo" && dcId !== 1);
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(photo, "photo"));
    await fixture.fault({ kind: "error", error: "401 AUTH_KEY_UNREGISTERED", method: "upload.getFile" });
    await fixture.run(alice, "read-chunk", { ...address(photo, "photo"), fileKey, etag, chunk: 0 });
    expect(fixture.chunks.has(`${fileKey}:0`)).toBe(true);
  });

  test("takes a data centre's lasting refusal for what it is: the account stays logged in", async () => {
    const photo = find(({ kind, dcId }) => kind === "photo" && dcId !== 1);
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address(photo, "photo"));
    await fixture.fault({ kind: "error", error: "401 AUTH_KEY_UNREGISTERED", method: "upload.getFile", times: 2 });
    const input = { ...address(photo, "photo"), fileKey, etag, chunk: 0 };
    await expect(fixture.run(alice, "read-chunk", input)).rejects.toMatchObject({ status: 500, message: "session not connected" });
    expect((await fixture.run(alice, "read-chunk", input)).length).toBeGreaterThan(0);
    expect(alice.context.state().kind).toBe("connected");
  });

  test("closes idle media connections", async () => {
    await eventually("one connection", () => fixture.connections().filter(({ account }) => account === "alice").length === 1);
  });
});

describe("profile photos", () => {
  test("reads the small photo of a channel, and not one that was replaced", async () => {
    const { chatId } = find(({ kind }) => kind === "photo");
    const channel = await fixture.run(alice, "get-channel", { channelId: chatId });
    const expected = Buffer.from(channel.picture.split(",")[1] ?? "", "base64");
    const client = alice.connector.connected();
    const peer = await alice.connector.chats.findOrRefresh(client, chatId, new AbortController().signal);
    if (peer === undefined) throw new Error("the channel is not known");
    const chat = await alice.connector.chats.read(client, peer, new AbortController().signal);
    const photoId =
      chat !== undefined && "photo" in chat && chat.photo !== undefined && "photoId" in chat.photo ? chat.photo.photoId.toString() : "";
    const input = { chatId, messageId: photoId, variant: "profile" as const };
    const { size, fileKey, etag } = await fixture.run(alice, "describe-media", input);
    expect(size).toBe(expected.length);
    await fixture.run(alice, "read-chunk", { ...input, fileKey, etag, chunk: 0 });
    expect(fixture.chunks.get(`${fileKey}:0`)?.equals(expected)).toBe(true);
    await expect(fixture.run(alice, "describe-media", { ...input, messageId: "12345" })).rejects.toMatchObject({ status: 404 });
  });
});
