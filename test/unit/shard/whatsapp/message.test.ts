import { describe, expect, it } from "vitest";
import { toSeconds } from "../../../../shard/whatsapp/media/media-content.js";
import { toPlainContent } from "../../../../shard/whatsapp/message/compose.js";
import { messageIdOf } from "../../../../shard/whatsapp/message/message-id.js";
import { recipientJid } from "../../../../shard/whatsapp/message/recipient-jid.js";
import { toVcard } from "../../../../shard/whatsapp/message/vcard.js";

describe("messageIdOf", () => {
  it("is the platform's form and the same for a repeat of the command", () => {
    expect(messageIdOf("s", "c")).toMatch(/^3EB0[0-9A-F]{18}$/);
    expect(messageIdOf("s", "c")).toBe(messageIdOf("s", "c"));
    expect(messageIdOf("s", "d")).not.toBe(messageIdOf("s", "c"));
    expect(messageIdOf("t", "c")).not.toBe(messageIdOf("s", "c"));
  });
});

describe("recipientJid", () => {
  it.each([
    ["+62 812-0000-0001", "6281200000001@s.whatsapp.net"],
    ["006281200000001", "6281200000001@s.whatsapp.net"],
    ["6281200000001", "6281200000001@s.whatsapp.net"],
    ["081200000001", undefined],
    ["nobody", undefined],
  ])("tidies the number %s", (phone, jid) => {
    expect(recipientJid({ kind: "phone", phone })).toBe(jid);
  });
  it("takes groups and channels by their suffix only", () => {
    expect(recipientJid({ kind: "group", id: "1203@g.us" })).toBe("1203@g.us");
    expect(recipientJid({ kind: "group", id: "628@s.whatsapp.net" })).toBeUndefined();
    expect(recipientJid({ kind: "newsletter", id: "1203@newsletter" })).toBe("1203@newsletter");
    expect(recipientJid({ kind: "newsletter", id: "1203@g.us" })).toBeUndefined();
  });
});

describe("toVcard", () => {
  it("names the number twice and escapes the name", () => {
    expect(toVcard({ name: "Doe, Jane; the\\one\nEND:VCARD", phone: "+49 151-234567" })).toBe(
      "BEGIN:VCARD\nVERSION:3.0\nN:;Doe\\, Jane\\; the\\\\one\\nEND:VCARD;;;\nFN:Doe\\, Jane\\; the\\\\one\\nEND:VCARD\nTEL;type=CELL;type=VOICE;waid=49151234567:+49151234567\nEND:VCARD",
    );
  });
});

describe("toSeconds", () => {
  it.each([
    [0.2, 1],
    [3, 3],
    [5e9, 4_294_967_295],
    [1e308, 4_294_967_295],
  ])("takes %d for %d", (duration, seconds) => {
    expect(toSeconds(duration)).toBe(seconds);
  });
});

describe("toPlainContent", () => {
  it("never lets the library fetch a URL in a text", () => {
    expect(toPlainContent({ type: "text", text: "see http://10.0.0.1/" })).toEqual({ text: "see http://10.0.0.1/", linkPreview: null });
  });
  it("leaves out empty names of a place", () => {
    expect(toPlainContent({ type: "location", location: { latitude: 1, longitude: 2, name: "" } })).toEqual({
      location: { degreesLatitude: 1, degreesLongitude: 2 },
    });
  });
});
