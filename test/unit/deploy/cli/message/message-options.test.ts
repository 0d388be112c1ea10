import { describe, expect, it } from "vitest";
import { recipientOf } from "../../../../../deploy/cli/message/recipient.js";
import { messageBody } from "../../../../../deploy/cli/message/message-body.js";

describe("--to", () => {
  it.each([
    ["whatsapp", "+49 151 12345678", { phone: "+49 151 12345678" }],
    ["whatsapp", "4915112345678", { phone: "4915112345678" }],
    ["whatsapp", "120363000@g.us", { group: "120363000@g.us" }],
    ["whatsapp", "120363000@newsletter", { newsletter: "120363000@newsletter" }],
    ["whatsapp", "1000@lid", { user: "1000@lid" }],
    ["whatsapp", "4915@s.whatsapp.net", { user: "4915@s.whatsapp.net" }],
    ["whatsapp", "group:120363000@g.us", { group: "120363000@g.us" }],
    ["telegram", "@bob_sandbox", { username: "@bob_sandbox" }],
    ["telegram", "bob_sandbox", { username: "bob_sandbox" }],
    ["telegram", "https://t.me/bob_sandbox", { username: "https://t.me/bob_sandbox" }],
    ["telegram", "+15550100002", { phone: "+15550100002" }],
    ["telegram", "0049 151 12345678", { phone: "0049 151 12345678" }],
    ["telegram", "5100000001", { user: "5100000001" }],
    ["telegram", "-1001900000016", { group: "-1001900000016" }],
    ["telegram", "channel:-1001900000016", { channel: "-1001900000016" }],
    ["telegram", "phone:15550100002", { phone: "15550100002" }],
  ] as const)("on %s %s is %j", (platform, to, fields) => {
    expect(recipientOf(platform, to)).toEqual(fields);
  });
  it.each([
    ["whatsapp", "channel:1"],
    ["telegram", "newsletter:1"],
    ["telegram", "chanel:1"],
  ] as const)("on %s does not know %s", (platform, to) => {
    expect(() => recipientOf(platform, to)).toThrow("--to does not support");
  });
});

const url = "https://example.org/a/b%20c.jpg?x=1";
describe("a message", () => {
  it.each([
    [{ text: "Hi" }, { type: "text", text: "Hi" }],
    [
      { image: url, text: "Menu" },
      { type: "image", text: "Menu", image: { url, mimetype: "image/jpeg" } },
    ],
    [
      { image: url, mimetype: "image/png" },
      { type: "image", image: { url, mimetype: "image/png" } },
    ],
    [
      { video: "http://h/a.mp4", duration: 3 },
      { type: "video", video: { url: "http://h/a.mp4", mimetype: "video/mp4", duration: 3 } },
    ],
    [
      { audio: "http://h/a.ogg", duration: 3 },
      { type: "audio", audio: { url: "http://h/a.ogg", mimetype: "audio/ogg", duration: 3 } },
    ],
    [
      { document: "http://h/b%20c.pdf" },
      { type: "document", document: { url: "http://h/b%20c.pdf", mimetype: "application/pdf", name: "b c.pdf", size: 1 } },
    ],
    [
      { document: "http://h/x", mimetype: "text/csv", name: "x.csv", size: 9 },
      { type: "document", document: { url: "http://h/x", mimetype: "text/csv", name: "x.csv", size: 9 } },
    ],
    [
      { location: "52.52, -13.405", name: "Here" },
      { type: "location", location: { latitude: 52.52, longitude: -13.405, name: "Here" } },
    ],
    [{ contact: "Bob, the Builder, +4915112345678" }, { type: "contact", contact: { name: "Bob, the Builder", phone: "+4915112345678" } }],
  ])("of %j is %j", (options, body) => {
    expect(JSON.parse(JSON.stringify(messageBody(options)))).toEqual(body);
  });
  it.each([
    [{}, "nothing to send"],
    [{ image: url, video: url }, "use only one of --image and --video"],
    [{ image: "a.jpg" }, "is not an http(s) URL"],
    [{ image: "https://example.org/a" }, "set --mimetype"],
    [{ video: "https://example.org/a.mp4" }, "--video needs --duration"],
    [{ location: "52.52" }, "--location must be latitude and longitude"],
    [{ contact: "Bob" }, "--contact must be a name and a number"],
  ])("of %j is refused: %s", (options, sentence) => {
    expect(() => messageBody(options)).toThrow(sentence);
  });
});
