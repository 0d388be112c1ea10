import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiUnderTest as TelegramApi } from "./telegram/api-under-test.js";
import { ApiUnderTest as WhatsAppApi } from "./whatsapp/api-under-test.js";

/** Tests router/docs/errors.md, "What counts as empty": one rule for every field of every endpoint. */
const blanks: readonly unknown[] = [
  null,
  "",
  " \t\r\n",
  "\u00a0\u3000",
  "\u200b",
  "\u2060\ufeff\u00ad",
  "\u3164\u2800",
  "\ufff9\ufffe\ufffb",
];

interface Answered {
  readonly status: number;
  readonly message: string;
  /** The input that reached the shard. */
  readonly input: unknown;
}

let apis: { whatsapp: WhatsAppApi; telegram: TelegramApi };
type Platform = keyof typeof apis;

beforeAll(async () => {
  apis = { whatsapp: new WhatsAppApi(), telegram: new TelegramApi() };
  await Promise.all([apis.whatsapp.start(), apis.telegram.start()]);
  const done = (): unknown => ({ id: "1", messageId: "1", statusId: "1", docs: [] });
  apis.whatsapp.answers = {
    "send-message": done,
    "send-reaction": done,
    "edit-message": done,
    "read-message": done,
    "post-status": done,
    "send-typing": done,
    "create-session": done,
    "list-channel-messages": done,
  };
  apis.telegram.answers = {
    "send-message": done,
    "send-reaction": done,
    "edit-message": done,
    "read-message": done,
    "post-status": done,
    "send-typing": done,
    "set-webhook": done,
    "submit-password": done,
    "list-channel-messages": done,
  };
});
afterAll(async () => {
  await Promise.all([apis.whatsapp.app.stop(0), apis.telegram.app.stop(0)]);
});

async function ask(platform: Platform, route: string, body?: object): Promise<Answered> {
  const api = apis[platform];
  api.calls.length = 0;
  const answer = await api.fetch(route, { body });
  const { message = "" } = (await answer.json()) as { message?: string };
  return { status: answer.status, message, input: api.calls[0]?.input };
}

/** Returns the body with another value at a path such as `image.url`, or without the field when no value is given. */
function having(body: object, path: string, ...values: readonly unknown[]): object {
  const [name = "", ...rest] = path.split(".");
  const { [name]: field, ...others } = body as Record<string, unknown>;
  if (rest.length > 0) return { ...others, [name]: having(field as object, rest.join("."), ...values) };
  return values.length === 0 ? others : { ...others, [name]: values[0] };
}

const phone = "4915112345678";
const photo = { url: "http://x/a.jpg", mimetype: "image/jpeg", thumbnail: "http://x/t.jpg" };
const film = { url: "http://x/a.mp4", mimetype: "video/mp4", duration: 2, thumbnail: "http://x/t.jpg" };
const song = { url: "http://x/a.mp3", mimetype: "audio/mpeg", duration: 7 };
const paper = { url: "http://x/a.pdf", name: "a.pdf", size: 12, mimetype: "application/pdf" };
const place = { latitude: 52.5, longitude: 13.4, name: "N", address: "A" };
const person = { name: "Ada", phone };

const messages: readonly [object, readonly string[], readonly string[]][] = [
  [{ phone, type: "text", text: "x" }, ["type", "text"], []],
  [{ phone, type: "image", text: "x", image: photo }, ["image", "image.url", "image.mimetype"], ["text", "image.thumbnail"]],
  [
    { phone, type: "video", text: "x", video: film },
    ["video", "video.url", "video.mimetype", "video.duration"],
    ["text", "video.thumbnail"],
  ],
  [{ phone, type: "audio", audio: song }, ["audio", "audio.url", "audio.mimetype", "audio.duration"], []],
  [
    { phone, type: "document", text: "x", document: paper },
    ["document", "document.url", "document.name", "document.size", "document.mimetype"],
    ["text"],
  ],
  [
    { phone, type: "location", location: place },
    ["location", "location.latitude", "location.longitude"],
    ["location.name", "location.address"],
  ],
  [{ phone, type: "contact", contact: person }, ["contact", "contact.name", "contact.phone"], []],
];
const statuses = messages.slice(0, 3);
const mode = { parseMode: "html" };
const privacy = { privacy: "everyone" };
const reaction = { phone, messageId: "1", emoji: "👍" };

const bodies: readonly (readonly [Platform, string, object, readonly string[], readonly string[]])[] = [
  ...messages.map(
    ([body, required, optional]) =>
      ["whatsapp", "POST /message", body, [...required, "phone"], [...optional, "group", "newsletter"]] as const,
  ),
  ...messages.map(
    ([body, required, optional]) =>
      [
        "telegram",
        "POST /message",
        { ...body, ...mode },
        [...required, "phone"],
        [...optional, "group", "channel", "user", "username", "parseMode"],
      ] as const,
  ),
  ...statuses.map(([body, required, optional]) => ["whatsapp", "POST /status", body, required, optional] as const),
  ...statuses.map(
    ([body, required, optional]) => ["telegram", "POST /status", { ...body, ...privacy }, required, [...optional, "privacy"]] as const,
  ),
  ["whatsapp", "POST /typing", { phone, type: "audio" }, ["phone"], ["group", "type"]],
  [
    "whatsapp",
    "POST /message/reaction",
    { ...reaction, author: "1@lid" },
    ["phone", "messageId"],
    ["group", "newsletter", "user", "author"],
  ],
  ["telegram", "POST /message/reaction", { ...reaction, author: "1" }, ["phone", "messageId"], ["group", "channel", "user", "username"]],
  [
    "whatsapp",
    "POST /message/read",
    { phone, messageId: "1", author: "1@lid" },
    ["phone", "messageId"],
    ["group", "newsletter", "user", "author"],
  ],
  ["telegram", "POST /message/read", { phone, messageId: "1" }, ["phone", "messageId"], ["group", "channel", "user", "username", "author"]],
  ["whatsapp", "PATCH /message/1", { phone, text: "x" }, ["phone", "text"], ["group", "newsletter", "user"]],
  ["telegram", "PATCH /message/1", { phone, text: "x", ...mode }, ["phone", "text"], ["group", "channel", "user", "username", "parseMode"]],
  ["telegram", "POST /typing", { phone, type: "audio" }, ["phone"], ["group", "user", "username", "type"]],
];

describe("a required field that is null or blank is missing", () => {
  it.each(bodies.flatMap(([platform, route, body, required]) => required.map((field) => [platform, route, field, body] as const)))(
    "%s %s: %s of %j",
    async (platform, route, field, body) => {
      const missing = await ask(platform, route, having(body, field));
      expect([missing.status, missing.input]).toEqual([400, undefined]);
      expect(missing.message).toMatch(field === "phone" ? /^invalid phone/ : new RegExp(`^${field} (should not be empty|must be )`));
      for (const blank of blanks) expect(await ask(platform, route, having(body, field, blank)), JSON.stringify(blank)).toEqual(missing);
    },
  );
});

describe("an optional field that is null or blank is left out", () => {
  it.each(bodies.flatMap(([platform, route, body, , optional]) => optional.map((field) => [platform, route, field, body] as const)))(
    "%s %s: %s of %j",
    async (platform, route, field, body) => {
      const left = await ask(platform, route, having(body, field));
      expect(left).toMatchObject({ status: 200, input: {} });
      for (const blank of blanks) expect(await ask(platform, route, having(body, field, blank)), JSON.stringify(blank)).toEqual(left);
    },
  );

  it("whatsapp POST /session: phone", async () => {
    for (const blank of blanks)
      expect(await ask("whatsapp", "POST /session", { phone: blank }), JSON.stringify(blank)).toMatchObject({
        status: 201,
        input: { phone: "" },
      });
  });
});

describe("a blank parameter", () => {
  const texts = blanks.filter((blank) => typeof blank === "string");

  it.each<[Platform, string, string]>([
    ["whatsapp", "GET /group/member?groupId=", "groupId"],
    ["whatsapp", "GET /channel/message?channelId=", "channelId"],
    ["telegram", "GET /group/member?groupId=", "groupId"],
    ["telegram", "GET /channel/message?channelId=", "channelId"],
  ])("that is required is empty: %s %s", async (platform, route, name) => {
    for (const text of texts)
      expect(await ask(platform, route + encodeURIComponent(text)), JSON.stringify(text)).toMatchObject({
        status: 400,
        message: `${name} should not be empty`,
        input: undefined,
      });
  });

  it.each<[Platform, string, string]>([
    ["whatsapp", "GET /group/", "groupId"],
    ["whatsapp", "GET /channel/", "channelId"],
    ["telegram", "GET /group/", "groupId"],
    ["telegram", "GET /channel/", "channelId"],
  ])("of a path is empty: %s %s", async (platform, route, name) => {
    for (const text of texts.slice(1))
      expect(await ask(platform, route + encodeURIComponent(text)), JSON.stringify(text)).toMatchObject({
        status: 400,
        message: `${name} should not be empty`,
        input: undefined,
      });
  });

  it.each<Platform>(["whatsapp", "telegram"])("that is optional is left out: %s", async (platform) => {
    for (const text of texts) {
      const route = `GET /channel/message?channelId=1&limit=${encodeURIComponent(text)}&before=${encodeURIComponent(text)}`;
      expect(await ask(platform, route), JSON.stringify(text)).toMatchObject({
        status: 200,
        input: { channelId: "1", limit: 50, before: 0 },
      });
    }
  });
});

describe("where the document, or a secret, knows better", () => {
  it("a webhook's url and token: null is missing, and only two empty texts turn it off", async () => {
    const set = (url: unknown, token: unknown): Promise<Answered> => ask("telegram", "PUT /session/webhook", { url, token });
    expect(await set(null, null)).toMatchObject({ status: 400, message: "url must be a string\ntoken must be a string" });
    expect(await set("", "")).toMatchObject({ status: 200, input: { url: "", token: "" } });
    expect(await set(" ", " ")).toMatchObject({ status: 400, message: "url must be an http or https url" });
    expect(await set("http://x/", "\u200b")).toMatchObject({
      status: 400,
      message: "token must be printable ascii without spaces around it",
    });
  });

  it("a password is what it is, blanks too", async () => {
    for (const password of [undefined, null, ""])
      expect(await ask("telegram", "POST /session/password", { password })).toMatchObject({
        status: 400,
        message: "password should not be empty",
      });
    for (const password of ["  ", "\u200b"])
      expect(await ask("telegram", "POST /session/password", { password })).toMatchObject({ status: 200, input: { password } });
  });

  it("a text is sent with the blanks around it", async () => {
    for (const platform of ["whatsapp", "telegram"] as const) {
      expect(await ask(platform, "POST /message", { phone, type: "text", text: " \u200bx\n" })).toMatchObject({
        status: 200,
        input: { text: " \u200bx\n" },
      });
      expect(await ask(platform, "POST /status", { type: "text", text: "\u200d👋 " })).toMatchObject({
        status: 200,
        input: { text: "\u200d👋 " },
      });
    }
  });
});

describe("reports several faults at once", () => {
  it.each<[string, object, string]>([
    [
      "POST /status",
      { type: "audio", privacy: "nobody" },
      "type must be one of the following values: text, image, video\nprivacy must be one of the following values: everyone, contacts, close_friends",
    ],
    [
      "POST /status",
      { privacy: 5 },
      "type must be one of the following values: text, image, video\nprivacy must be one of the following values: everyone, contacts, close_friends",
    ],
    [
      "POST /status",
      { type: "text", privacy: "nobody" },
      "text should not be empty\nprivacy must be one of the following values: everyone, contacts, close_friends",
    ],
    [
      "POST /message",
      { phone, type: "text", parseMode: "bbcode" },
      "text should not be empty\nparseMode must be one of the following values: markdown, html",
    ],
    [
      "POST /message",
      { phone, type: "poll", parseMode: "bbcode" },
      "type must be one of the following values: text, image, video, audio, document, location, contact\nparseMode must be one of the following values: markdown, html",
    ],
  ])("telegram %s %j", async (route, body, message) => {
    expect(await ask("telegram", route, body)).toEqual({ status: 400, message, input: undefined });
  });
});

describe("numbers and ids as JSON numbers", () => {
  it.each<[Platform, string, object, unknown]>([
    ["whatsapp", "POST /message", { phone: 4915112345678 }, { kind: "phone", phone: "4915112345678" }],
    ["whatsapp", "POST /typing", { phone: 4915112345678 }, { kind: "phone", phone: "4915112345678" }],
    ["telegram", "POST /message", { phone: 4915112345678 }, { kind: "phone", digits: "4915112345678" }],
    ["telegram", "POST /message", { user: 777000 }, { kind: "user", chat: { kind: "id", id: "777000" } }],
    ["telegram", "POST /message", { group: -1001900000016 }, { kind: "group", chat: { kind: "id", id: "-1001900000016" } }],
    ["telegram", "POST /message", { channel: -1001900000016 }, { kind: "channel", chat: { kind: "id", id: "-1001900000016" } }],
    ["telegram", "POST /typing", { user: 777000 }, { kind: "user", chat: { kind: "id", id: "777000" } }],
    ["telegram", "POST /typing", { phone: 4915112345678 }, { kind: "phone", digits: "4915112345678" }],
    ["telegram", "POST /message", { phone: "(+1) 555.010.0002" }, { kind: "phone", digits: "15550100002" }],
    ["whatsapp", "POST /message", { phone: "(+1) 555.010.0002" }, { kind: "phone", phone: "(+1) 555.010.0002" }],
  ])("%s %s %j", async (platform, route, receiver, to) => {
    expect(await ask(platform, route, { ...receiver, type: "text", text: "x" })).toMatchObject({ status: 200, input: { to } });
  });

  it.each<[Platform, object, string]>([
    ["whatsapp", { phone: 1.5 }, "invalid phone, group or newsletter"],
    ["whatsapp", { phone: 1e21 }, "invalid phone, group or newsletter"],
    ["telegram", { phone: 1234567 }, "invalid receiver"],
    ["telegram", { phone: 49151123456.5 }, "invalid receiver"],
    ["telegram", { user: 0.5 }, "invalid chat"],
    ["telegram", { user: 1e21 }, "invalid chat"],
    ["telegram", { username: 777000 }, "invalid chat"],
  ])("no whole number: %s %j", async (platform, receiver, message) => {
    expect(await ask(platform, "POST /message", { ...receiver, type: "text", text: "x" })).toEqual({
      status: 400,
      message,
      input: undefined,
    });
  });

  it("requests a pairing code", async () => {
    expect(await ask("whatsapp", "POST /session", { phone: 4915112345678 })).toMatchObject({
      status: 201,
      input: { phone: "4915112345678" },
    });
  });
});
