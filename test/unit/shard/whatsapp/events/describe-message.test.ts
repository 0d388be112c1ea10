import type { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { describeContent } from "../../../../../shard/whatsapp/events/describe-message.js";
import { received } from "./events-under-test.js";

const described = (message: proto.IMessage, viewOnce = false) => describeContent(received(message), viewOnce);
const card = (...lines: string[]): string => ["BEGIN:VCARD", "VERSION:3.0", "FN:Bob", ...lines, "END:VCARD"].join("\n");
const phoneIn = (vcard: string): string | undefined => described({ contactMessage: { displayName: "Bob", vcard } }).contact?.phone;

describe("a description", () => {
  it.each<[string, proto.IMessage, object]>([
    ["a short text", { conversation: "hi" }, { type: "text", text: "hi" }],
    ["a text", { extendedTextMessage: { text: "hi" } }, { type: "text", text: "hi" }],
    ["an image", { imageMessage: { caption: "c", width: 4, height: 3 } }, { type: "image", text: "c", width: 4, height: 3 }],
    ["a video", { videoMessage: { caption: "c", seconds: 9 } }, { type: "video", text: "c", duration: 9, animation: false, round: false }],
    ["a GIF", { videoMessage: { gifPlayback: true } }, { type: "video", animation: true }],
    ["a round video", { ptvMessage: { seconds: 5 } }, { type: "video", duration: 5, round: true }],
    ["a song", { audioMessage: { seconds: 200 } }, { type: "audio", duration: 200, voice: false }],
    ["a voice message", { audioMessage: { ptt: true } }, { type: "audio", voice: true }],
    ["a document", { documentMessage: { caption: "c" } }, { type: "document", text: "c" }],
    ["a sticker", { stickerMessage: { isAnimated: true, width: 64 } }, { type: "sticker", animation: true, width: 64 }],
    [
      "a location",
      { locationMessage: { degreesLatitude: -6.2, degreesLongitude: 106.8, name: "Office", address: "Street 1", comment: "here" } },
      { type: "location", text: "here", location: { latitude: -6.2, longitude: 106.8, name: "Office", address: "Street 1" } },
    ],
    [
      "a live location",
      { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: "moving" } },
      { type: "location", text: "moving", location: { latitude: 1, longitude: 2, name: "", address: "" } },
    ],
    [
      "a poll",
      { pollCreationMessageV3: { name: "When?", options: [{ optionName: "now" }, {}], selectableOptionsCount: 1 } },
      { type: "poll", text: "When?", poll: { options: ["now", ""], multiple: false } },
    ],
    ["a message with buttons", { buttonsMessage: { contentText: "choose" } }, { type: "other", text: "choose" }],
    ["an unknown kind", { requestPhoneNumberMessage: {} }, { type: "other", text: "" }],
    ["nothing", {}, { type: "other", text: "" }],
  ])("of %s", (_, message, expected) => {
    expect(described(message)).toMatchObject({ entities: [], mentions: [], albumId: "", replyTo: "", forwarded: false, ...expected });
  });

  it("has what the message refers to", () => {
    const contextInfo = { stanzaId: "M0", isForwarded: true, mentionedJid: ["1@lid"] };
    expect(described({ extendedTextMessage: { text: "hi", contextInfo } })).toMatchObject({
      replyTo: "M0",
      forwarded: true,
      mentions: ["1@lid"],
    });
  });

  it("has an album, and no other association", () => {
    const of = (associationType: number): string =>
      described({ imageMessage: {}, messageContextInfo: { messageAssociation: { associationType, parentMessageKey: { id: "A" } } } })
        .albumId;
    expect([of(1), of(5), of(10)]).toEqual(["A", "", ""]);
  });

  it("of a message that may be viewed once says nothing of its content", () => {
    const contextInfo = { stanzaId: "M0" };
    expect(described({ imageMessage: { caption: "secret", width: 4, contextInfo } }, true)).toMatchObject({
      type: "other",
      text: "",
      width: 0,
      replyTo: "M0",
    });
  });

  it("is bounded for huge lists", () => {
    const mentionedJid = Array.from({ length: 20_000 }, (_, index) => `${index}@lid`);
    expect(described({ extendedTextMessage: { text: "@all", contextInfo: { mentionedJid } } }).mentions).toHaveLength(1_000);
    const options = Array.from({ length: 20_000 }, () => ({ optionName: "x" }));
    expect(described({ pollCreationMessage: { name: "?", options } }).poll?.options).toHaveLength(100);
  });

  it("has 0 for numbers that make no sense", () => {
    const wrong = { degreesLatitude: Number.NaN, degreesLongitude: Number.POSITIVE_INFINITY };
    expect(described({ locationMessage: wrong }).location).toEqual({ latitude: 0, longitude: 0, name: "", address: "" });
    expect(describeContent({ videoMessage: { seconds: -1, width: 1.5, height: Number.NaN } }, false)).toMatchObject({
      duration: 0,
      width: 0,
      height: 0,
    });
    expect(described({ videoMessage: { seconds: 0xffffffff, width: 0xffffffff } })).toMatchObject({
      duration: 0xffffffff,
      width: 0xffffffff,
    });
  });
});

describe("a contact", () => {
  it.each([
    ["plain", "TEL:+62 812-3456", "628123456"],
    ["with parameters", "TEL;type=CELL;waid=628123456:+62 812 3456", "628123456"],
    ["written as at home", "TEL;type=CELL;waid=628123456:0812 3456", "628123456"],
    ["with a parameter that is no number", "TEL;waid=x;type=CELL:+62 812 3456", "628123456"],
    ["grouped", "item1.TEL;waid=628123456:+62 812 3456", "628123456"],
    ["in a named group", "home-2.TEL:+62 812 3456", "628123456"],
    ["as a link", "TEL;VALUE=uri:tel:+62-812-3456;ext=55", "628123456"],
    ["in lower case", "tel;type=cell:0812", "0812"],
    ["the first of two", "TEL:111\nTEL:222", "111"],
    ["with Windows line ends", "TEL:111\r\nEMAIL:a@b.example\r", "111"],
    ["without digits", "TEL:none", ""],
    ["without a value", "TEL:", ""],
    ["of another property", "TELEPHONE:111", ""],
    ["within another line", "NOTE:TEL:111", ""],
    ["missing", "EMAIL:a@b.example", ""],
  ])("has a number: %s", (_, line, phone) => {
    expect(phoneIn(card(line))).toBe(phone);
  });

  it("reads a huge card in a moment, and no more than one line of it", () => {
    const start = performance.now();
    expect(phoneIn(`TEL:${"1".repeat(1_000_000)}`)).toHaveLength(64);
    expect(phoneIn(`TEL${";x=".repeat(300_000)}`)).toBe("");
    expect(phoneIn("item1".repeat(200_000))).toBe("");
    expect(phoneIn("TEL;\n".repeat(200_000))).toBe("");
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("is the first of several, and may be empty", () => {
    const contacts = [{ displayName: "Ann", vcard: card("TEL:1") }, { displayName: "Bob" }];
    expect(described({ contactsArrayMessage: { contacts } })).toMatchObject({ type: "contact", contact: { name: "Ann", phone: "1" } });
    expect(described({ contactsArrayMessage: {} })).toMatchObject({ type: "contact", contact: { name: "", phone: "" } });
    expect(described({ contactMessage: {} })).toMatchObject({ type: "contact", contact: { name: "", phone: "" } });
  });
});
