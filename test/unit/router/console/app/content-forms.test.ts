import { describe, expect, it } from "vitest";
import {
  bodyOf,
  messageForms,
  sampleOf,
  withFieldsOf,
  type ContentType,
  type Values,
} from "../../../../../router/console/app/pages/session/send/content-forms.js";
import { isAboutRecipient, recipients } from "../../../../../router/console/app/pages/session/send/recipients.js";
import { randomKey } from "../../../../../router/console/app/api/random-key.js";
import { parseMessage as parseTelegram } from "../../../../../router/telegram/send-message.js";
import { parseMessage as parseWhatsApp } from "../../../../../router/whatsapp/send-message.js";
import { messageTypes } from "../../../../../shared/contract/message-content.js";

describe("the body of a form", () => {
  it.each<[string, ContentType, Values, object]>([
    [
      "nests objects and converts numbers",
      "video",
      { "video.url": "u", "video.duration": "3.5", text: "hi" },
      { video: { url: "u", duration: 3.5 }, text: "hi" },
    ],
    ["leaves out empty fields", "location", { "location.latitude": "52", "location.name": "" }, { location: { latitude: 52 } }],
    ["passes a text that is not a number to the API unchanged", "audio", { "audio.duration": "long" }, { audio: { duration: "long" } }],
    ["does not convert blanks to 0", "audio", { "audio.duration": " " }, { audio: { duration: " " } }],
    ["leaves out fields of other types", "text", { text: "a", "image.url": "u" }, { text: "a" }],
  ])("%s", (_, type, values, body) => {
    expect(bodyOf(messageForms[type], values)).toEqual(body);
  });

  it.each(messageTypes)("is accepted by both platforms for the example of type %s and each kind of recipient", (type) => {
    const body = { type, ...bodyOf(messageForms[type], sampleOf(type, "http://127.0.0.1:8090/files/")) };
    const to: Readonly<Record<string, string>> = {
      username: "bob_sandbox",
      phone: "+15550100002",
      user: "5100000001",
      channel: "bob_sandbox",
      newsletter: "1@newsletter",
    };
    for (const { value } of recipients.telegram)
      expect(parseTelegram(http({ ...body, [value]: value === "group" ? "-100190" : to[value] }))).toMatchObject({ type });
    const onWhatsApp: typeof to = { ...to, group: "1@g.us", user: "1@lid" };
    for (const { value } of recipients.whatsapp)
      expect(parseWhatsApp(http({ ...body, [value]: onWhatsApp[value] }))).toMatchObject({ type });
  });
});

describe("choosing another type", () => {
  it("keeps the values of fields that both types have", () => {
    const values = { text: "a caption", "image.url": "u", "image.mimetype": "image/png" };
    expect(withFieldsOf(messageForms.video, values)).toEqual({ text: "a caption" });
    expect(withFieldsOf(messageForms.contact, values)).toEqual({});
  });
});

describe("recognises errors about the recipient", () => {
  it.each([
    ["invalid phone, username, user, group or channel", true],
    ["invalid phone, group or newsletter", true],
    ["invalid receiver", true],
    ["group not found", true],
    ["text should not be empty", false],
    ["contact.phone must be a number in international format", false],
  ])("%s: %s", (sentence, expected) => {
    expect(isAboutRecipient(sentence)).toBe(expected);
  });
});

describe("an idempotency key", () => {
  it("has 128 random bits", () => {
    const keys = Array.from({ length: 50 }, randomKey);
    expect(new Set(keys).size).toBe(50);
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  });
});

const http = (body: object) => ({ body, query: {}, params: {} });
