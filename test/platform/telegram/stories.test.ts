import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import type { TestContext } from "../session-context.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
let bob: Session<TelegramConnector>;
let context: TestContext;
beforeAll(async () => {
  fixture = await TelegramFixture.start();
  ({ session: bob, context } = await fixture.login("bob"));
});
afterAll(() => fixture.stop());

const file = (name: string): string => `${fixture.sandbox.controlUrl}/files/${name}`;
const stories = (): Record<string, unknown>[] => fixture.sandbox.telegram.control.received("bob").filter(({ type }) => type === "story");

describe("post-status", () => {
  test("posts a text as a picture", async () => {
    const { statusId } = await fixture.run(bob, "post-status", { type: "text", text: "Hello", privacy: "contacts" });
    const story = stories().at(-1);
    expect(story).toMatchObject({ account: "bob" });
    expect(JSON.stringify(story)).toContain(statusId);
    expect(Number(statusId)).toBeGreaterThan(0);
    expect(JSON.stringify(story)).toContain("contacts");
  });

  test("posts an image with a caption", async () => {
    const { statusId } = await fixture.run(bob, "post-status", {
      type: "image",
      text: "Look 👀",
      privacy: "everyone",
      image: { url: file("photo.webp"), mimetype: "image/webp" },
    });
    expect(JSON.stringify(stories().at(-1))).toContain("Look 👀");
    expect(JSON.stringify(stories().at(-1))).toContain(statusId);
  });

  test("posts a video as it is, with a first frame", async () => {
    const { statusId } = await fixture.run(bob, "post-status", {
      type: "video",
      text: "",
      privacy: "close_friends",
      video: { url: file("video.mp4"), mimetype: "video/mp4", duration: 3 },
    });
    const bytes = Buffer.from(await (await fetch(file("video.mp4"))).arrayBuffer());
    const text = JSON.stringify(stories().at(-1));
    expect(text).toContain(createHash("sha256").update(bytes).digest("hex"));
    expect(text).toContain(statusId);
  });

  test("posts a video without sound as a video", async () => {
    const video = { url: file("silent.mp4"), mimetype: "video/mp4", duration: 2 };
    const { statusId } = await fixture.run(bob, "post-status", { type: "video", text: "", privacy: "contacts", video });
    expect(stories().at(-1)).toMatchObject({ id: statusId, kind: "video" });
  });

  test("posts a video with a thumbnail of its own", async () => {
    const video = { url: file("video.mp4"), mimetype: "video/mp4", duration: 3, thumbnail: file("photo.jpg") };
    const { statusId } = await fixture.run(bob, "post-status", { type: "video", text: "", privacy: "contacts", video });
    expect(Number(statusId)).toBeGreaterThan(0);
  });

  test("says why a file could not be fetched", async () => {
    await expect(
      fixture.run(bob, "post-status", {
        type: "image",
        text: "",
        privacy: "contacts",
        image: { url: file("nothing.jpg"), mimetype: "image/jpeg" },
      }),
    ).rejects.toMatchObject({
      status: 500,
      message: "error parser file from url 404 Not Found",
    });
  });

  test("says why a picture could not be made", async () => {
    await expect(
      fixture.run(bob, "post-status", {
        type: "image",
        text: "",
        privacy: "contacts",
        image: { url: file("document.pdf"), mimetype: "image/jpeg" },
      }),
    ).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/^error compress image: /),
    });
  });

  test("says what is wrong with a picture's shape", async () => {
    const image = { url: file("strip.png"), mimetype: "image/png" };
    await expect(fixture.run(bob, "post-status", { type: "image", text: "", privacy: "contacts", image })).rejects.toMatchObject({
      status: 500,
      message: "error compress image: one side is more than 20 times the other",
    });
  });

  test("passes on the platform's refusal", async () => {
    await fixture.fault({ kind: "error", method: "stories.sendStory", error: "STORIES_TOO_MUCH" });
    await expect(fixture.run(bob, "post-status", { type: "text", text: "x", privacy: "contacts" })).rejects.toMatchObject({
      status: 500,
      message: "400: STORIES_TOO_MUCH (caused by stories.SendStory)",
    });
  });

  test("posts once when the response is lost", async () => {
    const before = stories().length;
    fixture.resetCalls();
    const start = context.history.length;
    await fixture.fault({ kind: "lost-ack", method: "stories.sendStory" });
    await expect(fixture.run(bob, "post-status", { type: "text", text: "once", privacy: "contacts" })).rejects.toMatchObject({
      status: 500,
      message: "internal server error",
    });
    // The end of the connection may be reported after the end of the call.
    const since = (event: string): number => context.history.lastIndexOf(event) - start;
    await eventually("connected again", () => since("connection-lost") >= 0 && since("logged-in") > since("connection-lost"));
    // A new story makes the second call, so the first one was not repeated.
    await fixture.run(bob, "post-status", { type: "text", text: "another", privacy: "contacts" });
    expect(fixture.calls("stories.sendStory")).toBe(2);
    expect(stories().length).toBe(before + 2);
  });

  test("uploads a large file in big parts, byte by byte", async () => {
    const size = 11 * 1024 * 1024 + 12_345;
    const client = bob.connector.connected();
    const { uploadFile } = await import("../../../shard/telegram/media/upload.js");
    const content = createHash("sha256").update("seed").digest();
    const source = {
      size,
      read: async (offset: number, length: number) => Buffer.alloc(Math.max(0, Math.min(length, size - offset)), content),
    };
    fixture.resetCalls();
    const input = await uploadFile(client, source, "big.bin", new AbortController().signal, 60_000);
    expect(input.className).toBe("InputFileBig");
    expect(fixture.calls("upload.saveBigFilePart")).toBe(Math.ceil(size / (512 * 1024)));
  });
});
