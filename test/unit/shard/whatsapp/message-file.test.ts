import { randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { LinkKeys } from "../../../../shared/media/link.js";
import { SealedLinks } from "../../../../shared/media/sealed-links.js";
import { FileLinks } from "../../../../shard/whatsapp/media/file-links.js";
import { fileOf } from "../../../../shard/whatsapp/media/message-file.js";

const sent = {
  mediaKey: randomBytes(32),
  fileSha256: randomBytes(32),
  fileEncSha256: randomBytes(32),
  fileLength: 1_000,
  directPath: "/v/t62.7118-24/1_n.enc?ccb=11-4&oh=01&oe=66",
};

/** Content as it arrives, with the library's own number type. */
const arrived = (content: proto.IMessage): proto.IMessage => proto.Message.decode(proto.Message.encode(content).finish());

describe("fileOf", () => {
  it.each<[string, proto.IMessage, object]>([
    ["image", { imageMessage: { ...sent, mimetype: "image/png" } }, { kind: "image", mimetype: "image/png", size: 1_000 }],
    ["video", { videoMessage: { ...sent, mimetype: "video/mp4" } }, { kind: "video", mimetype: "video/mp4" }],
    ["video note", { ptvMessage: sent }, { kind: "video", mimetype: "video/mp4" }],
    ["voice message", { audioMessage: { ...sent, mimetype: "audio/ogg; codecs=opus" } }, { kind: "audio", mimetype: "audio/ogg" }],
    ["sticker", { stickerMessage: { ...sent, mimetype: "image/webp" } }, { kind: "sticker", mimetype: "image/webp" }],
    ["document", { documentMessage: { ...sent, fileName: "a.pdf" } }, { kind: "document", name: "a.pdf" }],
    [
      "document with caption",
      { documentWithCaptionMessage: { message: { documentMessage: { ...sent, title: "b.pdf" } } } },
      { kind: "document", name: "b.pdf" },
    ],
    ["disappearing image", { ephemeralMessage: { message: { imageMessage: sent } } }, { kind: "image", mimetype: "image/jpeg" }],
  ])("describes the file of a %s", (_, content, expected) => {
    const file = fileOf(arrived(content));
    expect(file).toMatchObject(expected);
    expect(file?.file).toMatchObject({ directPath: sent.directPath, mediaKey: sent.mediaKey, length: 1_000 });
    expect(file?.thumb).toBeUndefined();
  });

  it.each<[string, proto.IMessage]>([
    ["text", { conversation: "hi" }],
    ["a flagged view-once image", { imageMessage: { ...sent, viewOnce: true } }],
    ["a flagged view-once voice message", { audioMessage: { ...sent, viewOnce: true } }],
    ["a wrapped view-once image", { viewOnceMessage: { message: { imageMessage: sent } } }],
    ["a wrapped view-once video", { viewOnceMessageV2: { message: { videoMessage: sent } } }],
    ["a wrapped view-once voice message", { viewOnceMessageV2Extension: { message: { audioMessage: sent } } }],
    ["an empty wrapper", { ephemeralMessage: {} }],
  ])("finds no file in %s", (_, content) => {
    expect(fileOf(arrived(content))).toBeUndefined();
  });

  it("finds an uploaded thumbnail by its path and hashes", () => {
    const thumbnail = { thumbnailDirectPath: "/t", thumbnailSha256: randomBytes(32), thumbnailEncSha256: randomBytes(32) };
    expect(fileOf(arrived({ documentMessage: { ...sent, ...thumbnail } }))?.thumb).toMatchObject({
      kind: "thumbnail-document",
      directPath: "/t",
      mediaKey: sent.mediaKey,
      plainHash: thumbnail.thumbnailSha256,
    });
    expect(fileOf(arrived({ imageMessage: { ...sent, ...thumbnail, thumbnailSha256: null } }))?.thumb).toBeUndefined();
  });

  it.each(["", "//other.example/x y", "mmg.whatsapp.net/v", `/${"x".repeat(601)}`, "/\r\nhost: x"])("uses no path %j", (directPath) => {
    expect(fileOf(arrived({ imageMessage: { ...sent, directPath } }))?.file).toBeUndefined();
  });

  it("uses no key or hash of another length", () => {
    expect(fileOf(arrived({ imageMessage: { ...sent, mediaKey: randomBytes(33) } }))?.file?.mediaKey ?? sent.mediaKey).not.toHaveLength(33);
    expect(fileOf(arrived({ imageMessage: { ...sent, fileEncSha256: randomBytes(31) } }))?.file).toBeUndefined();
  });

  it("keeps a sidecar only if it belongs to a file of this size", () => {
    const sidecarOf = (fileLength: number, bytes: number): number | undefined =>
      fileOf(arrived({ videoMessage: { ...sent, fileLength, streamingSidecar: randomBytes(bytes) } }))?.file?.sidecar.length;
    expect(sidecarOf(65_535, 10)).toBe(10);
    expect(sidecarOf(65_536, 20)).toBe(20);
    expect(sidecarOf(65_536, 10)).toBe(0);
    expect(sidecarOf(65_535, 20)).toBe(10);
    expect(sidecarOf(65_535, 30)).toBe(0);
    expect(sidecarOf(2 ** 30, 163_850)).toBe(0);
  });
});

describe("FileLinks", () => {
  const sealed = new SealedLinks(LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`));
  const links = new FileLinks(sealed, "https://gateway.example/whatsapp");
  const session = newSessionId(Date.now());
  const message = { chatId: "123-456@g.us", messageId: "3EB0", author: "1@lid", fromMe: false };

  it("makes a link of the file, and none without a thumbnail", () => {
    const file = fileOf({ documentMessage: { ...sent, fileName: "a.docx" } });
    if (file === undefined) throw new Error("no file");
    const url = links.fileUrl(session, message, file);
    expect(url).toMatch(
      new RegExp(`^https://gateway.example/whatsapp/media/${session}/123-456@g.us/3EB0/file/a[A-Za-z0-9_-]{100,1000}\\.docx$`),
    );
    expect(links.thumbUrl(session, message, file)).toBe("");
    expect(links.fileUrl(session, { ...message, messageId: "../x" }, file)).toBe("");
  });
});
