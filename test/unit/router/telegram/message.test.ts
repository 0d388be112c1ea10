import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiUnderTest } from "./api-under-test.js";

let api: ApiUnderTest;
beforeEach(async () => {
  api = new ApiUnderTest();
  await api.start();
});
afterEach(async () => {
  await api.app.stop(0);
});

const photo = { url: "http://x/a.jpg", mimetype: "image/jpeg" };
const film = { url: "http://x/a.mp4", mimetype: "video/mp4", duration: 2.5 };
const song = { url: "http://x/a.mp3", mimetype: "audio/mpeg", duration: 2.5 };
const paper = { url: "http://x/a.pdf", name: "a.pdf", size: 10, mimetype: "application/pdf" };
const place = { latitude: 52.5, longitude: -13.4 };
const person = { name: "N", phone: "+49 151 12345678" };

const phone = "+49 151 234-5678";
const to = { kind: "phone", digits: "491512345678" };
const id = (value: string): object => ({ kind: "id", id: value });
const name = (value: string): object => ({ kind: "username", username: value });

describe("receivers of a message", () => {
  it.each<[Record<string, unknown>, unknown]>([
    [
      { group: "-4000001", channel: "-1001900000011", user: "5", username: "durov", phone },
      { kind: "group", chat: id("-4000001") },
    ],
    [
      { channel: "-1001900000011", user: "5", username: "durov", phone },
      { kind: "channel", chat: id("-1001900000011") },
    ],
    [
      { user: "5", username: "durov", phone },
      { kind: "user", chat: id("5") },
    ],
    [
      { username: "durov", phone },
      { kind: "username", chat: name("durov") },
    ],
    [{ phone }, to],
    [{ phone: "00491512345678" }, to],
    [{ group: "", channel: null, phone }, to],
    [{ group: "t.me/Square_1" }, { kind: "group", chat: name("square_1") }],
    [{ channel: "https://telegram.me/news_1" }, { kind: "channel", chat: name("news_1") }],
    [{ user: "@durov" }, { kind: "user", chat: name("durov") }],
    [{ username: "@Durov" }, { kind: "username", chat: name("durov") }],
    [{ username: "https://t.me/durov" }, { kind: "username", chat: name("durov") }],
  ])("%j", async (receiver, expected) => {
    api.answers = { "send-message": () => ({ messageId: "7" }), "send-typing": () => ({ id: "i" }) };
    const answer = await api.fetch("POST /message", { body: { ...receiver, type: "text", text: "x" } });
    expect([answer.status, await answer.json()]).toEqual([200, { messageId: "7" }]);
    expect(api.calls[0]).toMatchObject({ input: { to: expected } });
    if ("channel" in receiver && receiver["channel"] !== null) return;
    await api.fetch("POST /typing", { body: receiver });
    expect(api.calls[1]).toMatchObject({ input: { to: expected, type: "text" } });
  });

  it("a channel is none for the typing indicator", async () => {
    const answer = await api.fetch("POST /typing", { body: { channel: "-1001900000011" } });
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message: "invalid phone, username, user or group" }]);
  });
});

describe("what reaches the shard and what comes back", () => {
  it.each<[object, object]>([
    [
      { type: "text", text: "hello", image: 5, other: 1 },
      { type: "text", text: "hello" },
    ],
    [
      { type: "text", text: "**h**", parseMode: "markdown" },
      { type: "text", text: "**h**", parseMode: "markdown" },
    ],
    [
      { type: "image", text: "<b>h</b>", parseMode: "html", image: photo },
      { type: "image", text: "<b>h</b>", parseMode: "html", image: photo },
    ],
    [
      { type: "image", image: { ...photo, extra: 1 } },
      { type: "image", text: "", image: photo },
    ],
    [
      { type: "video", text: "cap", video: { ...film, thumbnail: "http://x/t" } },
      { type: "video", text: "cap", video: { ...film, thumbnail: "http://x/t" } },
    ],
    [
      { type: "audio", text: "ignored", audio: { ...song, ptt: true } },
      { type: "audio", audio: song },
    ],
    [
      { type: "document", text: "cap", document: paper },
      { type: "document", text: "cap", document: paper },
    ],
    [
      { type: "location", location: { ...place, name: "N", address: "" } },
      { type: "location", location: { ...place, name: "N" } },
    ],
    [
      { type: "contact", contact: person },
      { type: "contact", contact: person },
    ],
  ])("%j", async (body, input) => {
    api.answers = { "send-message": () => ({ messageId: "7" }) };
    const answer = await api.fetch("POST /message", { body: { phone, ...body } });
    expect([answer.status, await answer.json()]).toEqual([200, { messageId: "7" }]);
    expect(api.calls).toMatchObject([{ command: "send-message" }]);
    expect(api.calls[0]?.input).toEqual({ to, ...input });
  });

  it.each(["text", "audio"])("typing %s", async (type) => {
    api.answers = { "send-typing": () => ({ id: "i" }) };
    const answer = await api.fetch("POST /typing", { body: { phone, type } });
    expect([answer.status, await answer.json()]).toEqual([200, { id: "i" }]);
    expect(api.calls[0]?.input).toEqual({ to, type });
  });
});

describe("400", () => {
  const receivers = "invalid phone, username, user, group or channel";
  const typingReceivers = "invalid phone, username, user or group";
  const types = "type must be one of the following values: text, image, video, audio, document, location, contact";
  const of = (type: string, value?: unknown): object => ({ phone, type, ...(value === undefined ? {} : { [type]: value }) });
  const text = (receiver: object): object => ({ ...receiver, type: "text", text: "x" });

  it.each<[string, unknown, string]>([
    ["POST /message", undefined, receivers],
    ["POST /message", {}, receivers],
    ["POST /message", { type: "poll" }, receivers],
    ["POST /message", text({ phone: "", group: "", channel: "", user: null, username: "" }), receivers],
    ["POST /message", text({ newsletter: "x@newsletter" }), receivers],
    ["POST /message", text({ phone: "1234567" }), "invalid receiver"],
    ["POST /message", text({ phone: "+1 234-567" }), "invalid receiver"],
    ["POST /message", text({ phone: "001234567" }), "invalid receiver"],
    ["POST /message", text({ phone: "call me" }), "invalid receiver"],
    ["POST /message", text({ phone: 4915123.5 }), "invalid receiver"],
    ["POST /message", text({ phone: "12345678901234567" }), "invalid receiver"],
    ["POST /message", text({ username: "du rov" }), "invalid chat"],
    ["POST /message", text({ username: "1durov" }), "invalid chat"],
    ["POST /message", text({ username: "5100000001" }), "invalid chat"],
    ["POST /message", text({ username: "a" }), "invalid chat"],
    ["POST /message", text({ username: "t.me/+AbCdEf" }), "invalid chat"],
    ["POST /message", text({ username: "https://example.com/durov" }), "invalid chat"],
    ["POST /message", text({ username: ["durov"] }), "invalid chat"],
    ["POST /message", text({ group: "my group", phone }), "invalid chat"],
    ["POST /message", text({ channel: { id: 1 }, phone }), "invalid chat"],
    ["POST /message", text({ user: "0" }), "invalid chat"],
    ["POST /message", { phone }, types],
    ["POST /message", of("poll"), types],
    ["POST /message", of("__proto__"), types],
    ["POST /message", [], "body must be an object"],
    ["POST /message", of("text"), "text should not be empty"],
    ["POST /message", of("text", ""), "text should not be empty"],
    ["POST /message", of("text", 5), "text must be a string"],
    ["POST /message", of("image"), "image should not be empty"],
    ["POST /message", of("image", {}), "image.url should not be empty\nimage.mimetype should not be empty"],
    ["POST /message", of("video"), "video should not be empty"],
    [
      "POST /message",
      of("video", {}),
      "video.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration must be a positive number",
    ],
    ["POST /message", of("video", { ...film, duration: 0 }), "video.duration must be a positive number"],
    ["POST /message", of("audio"), "audio should not be empty"],
    ["POST /message", of("audio", { ...song, duration: "1" }), "audio.duration must be a positive number"],
    ["POST /message", of("document"), "document should not be empty"],
    ["POST /message", of("document", { ...paper, name: "" }), "document.name should not be empty"],
    ["POST /message", of("location"), "location should not be empty"],
    ["POST /message", of("location", { ...place, latitude: 91 }), "location.latitude must be a number from -90 to 90"],
    ["POST /message", of("contact"), "contact should not be empty"],
    ["POST /message", of("contact", { ...person, phone: "call me" }), "contact.phone must be a number in international format"],
    ["POST /message", of("contact", { ...person, phone: "0151 12345678" }), "contact.phone must be a number in international format"],
    ...["bbcode", "Markdown", 5].map((parseMode): [string, unknown, string] => [
      "POST /message",
      { ...of("text", "x"), parseMode },
      "parseMode must be one of the following values: markdown, html",
    ]),
    ["POST /message", { ...of("location", place), parseMode: "x" }, "parseMode must be one of the following values: markdown, html"],
    ["POST /typing", undefined, typingReceivers],
    ["POST /typing", { type: "video" }, typingReceivers],
    ["POST /typing", { phone: "1234567" }, "invalid receiver"],
    ["POST /typing", { username: "du rov" }, "invalid chat"],
    ["POST /typing", { phone, type: "video" }, "type must be one of the following values: text, audio"],
    ["POST /typing", { phone, type: 0 }, "type must be one of the following values: text, audio"],
  ])("%s %j", async (route, body, message) => {
    const answer = await api.fetch(route, { body });
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message }]);
    expect(api.calls).toEqual([]);
  });
});
