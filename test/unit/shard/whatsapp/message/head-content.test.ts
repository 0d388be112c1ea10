import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { headContentMaxBytes } from "../../../../../shard/session/message-head.js";
import { headContent } from "../../../../../shard/whatsapp/message/head-content.js";
import { received } from "../events/events-under-test.js";

const file = {
  mimetype: "image/jpeg",
  directPath: `/v/t62.7118-24/${"1".repeat(120)}_n.enc?ccb=11-4&oh=01_Q5&oe=66&_nc_sid=5e03e0`,
  mediaKey: Buffer.alloc(32, 1),
  fileSha256: Buffer.alloc(32, 2),
  fileEncSha256: Buffer.alloc(32, 3),
  fileLength: 105_825,
};
const preview = {
  url: `https://mmg.whatsapp.net/${"x".repeat(300)}`,
  jpegThumbnail: Buffer.alloc(4_000, 4),
  contextInfo: { stanzaId: "M0" },
};

function carried(message: proto.IMessage): { whole: boolean; message: unknown } {
  const { content, whole } = headContent(received(message));
  expect(content.length).toBeLessThanOrEqual(headContentMaxBytes);
  return { whole, message: proto.Message.decode(content).toJSON() };
}

describe("the content in a ref", () => {
  it("is a text without its preview and its mentions", () => {
    const message = { extendedTextMessage: { text: "hi @1", contextInfo: { mentionedJid: ["1@lid"] }, jpegThumbnail: Buffer.alloc(9) } };
    expect(carried(message)).toEqual({ whole: true, message: { conversation: "hi @1" } });
    expect(carried({ conversation: "hi" })).toEqual({ whole: true, message: { conversation: "hi" } });
  });

  it("is a file's facts without its previews", () => {
    const { whole, message } = carried({ imageMessage: { ...file, ...preview, caption: "cake", width: 4, height: 3 } });
    expect(whole).toBe(true);
    expect(message).toMatchObject({
      imageMessage: { directPath: file.directPath, caption: "cake", width: 4, height: 3, fileLength: "105825", mimetype: "image/jpeg" },
    });
    expect(Object.keys(Object(Reflect.get(Object(message), "imageMessage")) as object)).not.toContain("jpegThumbnail");
  });

  it.each<[string, proto.IMessage]>([
    ["voice note", { audioMessage: { ...file, seconds: 3, ptt: true } }],
    ["sticker", { stickerMessage: { ...file, isAnimated: true } }],
    ["document", { documentMessage: { ...file, fileName: "a.pdf", caption: "see" } }],
    ["video", { videoMessage: { ...file, seconds: 4, gifPlayback: true } }],
    ["round video", { ptvMessage: { ...file, seconds: 4 } }],
    ["location", { locationMessage: { degreesLatitude: 1, degreesLongitude: 2, name: "Shop", jpegThumbnail: Buffer.alloc(9_000) } }],
    ["contact", { contactMessage: { displayName: "Ann", vcard: "BEGIN:VCARD\nEND:VCARD" } }],
  ])("carries a %s whole", (_, message) => {
    expect(carried({ ...message, messageContextInfo: { messageSecret: Buffer.alloc(32) } }).whole).toBe(true);
  });

  it.each<[string, proto.IMessage, object]>([
    ["a long text", { conversation: "€".repeat(2_000) }, { conversation: "€".repeat(150) }],
    ["a text cut inside an emoji", { conversation: `${"€".repeat(149)}👋${"€".repeat(500)}` }, { conversation: "€".repeat(149) }],
    ["a long caption", { imageMessage: { ...file, caption: "€".repeat(900) } }, { imageMessage: { caption: "€".repeat(150) } }],
    [
      "a channel's file, which has no key",
      { videoMessage: { directPath: "/o1/v", fileSha256: file.fileSha256 } },
      { videoMessage: { caption: "" } },
    ],
    ["a poll", { pollCreationMessage: { name: "When?", options: [{ optionName: "now" }] } }, { pollCreationMessage: {} }],
    ["an empty text", { extendedTextMessage: { text: "" } }, { conversation: "" }],
    ["nothing", {}, {}],
  ])("carries only what a quote shows of %s", (_, message, expected) => {
    expect(carried(message)).toEqual({ whole: false, message: expected });
  });
});
