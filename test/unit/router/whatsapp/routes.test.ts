import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newSessionId, newSessionSecret } from "../../../../shared/contract/ids.js";
import type { WebhookSettings } from "../../../../shared/contract/session.js";
import { sealWebhook } from "../../../../shared/session/webhook-settings.js";
import * as errors from "../../../../shared/contract/whatsapp/errors.js";
import { anAccount, aSession } from "../support.js";
import { ApiUnderTest } from "./api-under-test.js";
import { newSession } from "../../../harness/new-session.js";
import { routes } from "../../../../router/whatsapp/routes.js";

let api: ApiUnderTest;
beforeEach(async () => {
  api = new ApiUnderTest();
  await api.start();
});
afterEach(async () => {
  await api.app.stop(0);
});

const groupId = "120363041234567890@g.us";
const channelId = "120363049876543210@newsletter";
const phone = "4915112345678";
const group = { id: groupId, name: "G", description: "d", picture: "", created: null };
const channel = { id: channelId, name: "C", picture: "https://pps/x", isOwner: true, created: "2026-01-01T00:00:00.000Z" };
const member = { id: "5@lid", name: "", phone: "" };
const message = { id: "1", channelId, type: "text", text: "hi", created: "2026-01-01T00:00:00.000Z", views: 3, mimetype: "", size: 0 };
const photo = { url: "http://x/a.jpg", mimetype: "image/jpeg" };
const film = { url: "http://x/a.mp4", mimetype: "video/mp4", duration: 2.5 };
const song = { url: "http://x/a.mp3", mimetype: "audio/mpeg", duration: 7 };
const paper = { url: "http://x/a.pdf", name: "a.pdf", size: 12, mimetype: "application/pdf" };
const place = { latitude: 52.5, longitude: -13.4 };
const person = { name: "Ada", phone: "+49 151 1234-5678" };
const to = { kind: "phone", phone };
const receiver = { url: "http://127.0.0.1:7777/x", token: "a b" };
const user = "123456789012345@lid";
const sent = { messageId: "3EB0AA" };

describe("what reaches the shard and what comes back", () => {
  it.each<[string, string, unknown, unknown, unknown]>([
    ["POST /session/reset", "reset-session", undefined, {}, { id: "i" }],
    ["PUT /session/webhook", "set-webhook", { ...receiver, more: 1 }, receiver, { id: "i" }],
    [
      "PUT /session/webhook",
      "set-webhook",
      { ...receiver, events: ["group.message.new"] },
      { ...receiver, events: ["group.message.new"] },
      { id: "i" },
    ],
    ["PUT /session/webhook", "set-webhook", { url: "", token: "" }, { url: "", token: "" }, { id: "i" }],
    ["DELETE /session", "delete-session", undefined, {}, { id: "i" }],
    [
      "POST /message",
      "send-message",
      { phone, type: "text", text: "hello", image: 5, other: 1 },
      { to, type: "text", text: "hello" },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "image", image: { ...photo, extra: 1 } },
      { to, type: "image", text: "", image: photo },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "image", text: "cap", image: { ...photo, thumbnail: "" } },
      { to, type: "image", text: "cap", image: photo },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "image", image: { ...photo, thumbnail: "http://x/t" } },
      { to, type: "image", text: "", image: { ...photo, thumbnail: "http://x/t" } },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "image", text: null, image: { ...photo, thumbnail: null } },
      { to, type: "image", text: "", image: photo },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "video", text: "cap", video: film },
      { to, type: "video", text: "cap", video: film },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "video", video: { ...film, thumbnail: "http://x/t" } },
      { to, type: "video", text: "", video: { ...film, thumbnail: "http://x/t" } },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "audio", text: "ignored", audio: { ...song, ptt: true } },
      { to, type: "audio", audio: song },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "document", text: "cap", document: paper },
      { to, type: "document", text: "cap", document: paper },
      sent,
    ],
    ["POST /message", "send-message", { phone, type: "location", location: place }, { to, type: "location", location: place }, sent],
    [
      "POST /message",
      "send-message",
      { phone, type: "location", location: { ...place, name: "N", address: "A" } },
      { to, type: "location", location: { ...place, name: "N", address: "A" } },
      sent,
    ],
    [
      "POST /message",
      "send-message",
      { phone, type: "location", location: { ...place, name: null, address: null } },
      { to, type: "location", location: place },
      sent,
    ],
    ["POST /message", "send-message", { phone, type: "contact", contact: person }, { to, type: "contact", contact: person }, sent],
    ["POST /status", "post-status", { type: "text", text: "hello", image: 5 }, { type: "text", text: "hello" }, { statusId: "3EB0" }],
    [
      "POST /status",
      "post-status",
      { type: "image", image: { ...photo, extra: 1 } },
      { type: "image", text: "", image: photo },
      { statusId: "3EB0" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "image", text: "cap", image: photo },
      { type: "image", text: "cap", image: photo },
      { statusId: "3EB0" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "video", text: "cap", video: { ...film, thumbnail: "http://x/t" } },
      { type: "video", text: "cap", video: { ...film, thumbnail: "http://x/t" } },
      { statusId: "3EB0" },
    ],
    [
      "POST /message/reaction",
      "send-reaction",
      { phone, messageId: "3EB0", emoji: "👍" },
      { to, messageId: "3EB0", emoji: "👍" },
      { messageId: "3EB0" },
    ],
    [
      "POST /message/reaction",
      "send-reaction",
      { group: groupId, messageId: " 1 ", author: user, emoji: " \u200b" },
      { to: { kind: "group", id: groupId }, messageId: " 1 ", author: user, emoji: "" },
      { messageId: " 1 " },
    ],
    ["POST /message/read", "read-message", { phone, messageId: "3EB0", author: null }, { to, messageId: "3EB0" }, { id: "i" }],
    ["PATCH /message/3EB0", "edit-message", { phone, text: " x " }, { to, messageId: "3EB0", text: " x " }, { messageId: "3EB0" }],
    [`DELETE /message/3EB0?phone=${phone}&group=`, "delete-message", undefined, { to, messageId: "3EB0" }, { messageId: "3EB0" }],
    [
      `DELETE /message/a%2Fb?group=${groupId}&author=${user}`,
      "delete-message",
      undefined,
      { to: { kind: "group", id: groupId }, messageId: "a/b", author: user },
      { messageId: "a/b" },
    ],
    ["POST /typing", "send-typing", { phone }, { to, type: "text" }, { id: "i" }],
    [
      "POST /status",
      "post-status",
      { type: "image", text: null, image: { ...photo, thumbnail: null } },
      { type: "image", text: "", image: photo },
      { statusId: "3EB0" },
    ],
    ["POST /typing", "send-typing", { user }, { to: { kind: "user", id: user }, type: "text" }, { id: "i" }],
    ["POST /typing", "send-typing", { user, phone }, { to, type: "text" }, { id: "i" }],
    ["POST /typing", "send-typing", { phone, type: null }, { to, type: "text" }, { id: "i" }],
    ["POST /typing", "send-typing", { phone, type: "audio" }, { to, type: "audio" }, { id: "i" }],
    [
      "POST /typing",
      "send-typing",
      { phone, group: groupId, type: "text" },
      { to: { kind: "group", id: groupId }, type: "text" },
      { id: "i" },
    ],
    ["GET /group", "list-groups", undefined, {}, { docs: [group] }],
    [`GET /group/member?groupId=${groupId}`, "list-group-members", undefined, { groupId }, { docs: [member] }],
    ["GET /group/member?groupId=1-2%40g.us&x=1", "list-group-members", undefined, { groupId: "1-2@g.us" }, { docs: [] }],
    [`GET /group/${groupId}`, "get-group", undefined, { groupId }, group],
    ["GET /group/1%40g.us", "get-group", undefined, { groupId: "1@g.us" }, group],
    ["GET /chat?limit=2&after=1-0", "list-chats", undefined, { limit: 2, after: "1-0" }, { docs: [], next: "" }],
    [`GET /chat/message?chat=${user}`, "list-chat-messages", undefined, { chat: user, limit: 50, before: "" }, { docs: [], next: "" }],
    [
      `GET /chat/message?chat=${groupId}&limit=7&before=3EB0AA`,
      "list-chat-messages",
      undefined,
      { chat: groupId, limit: 7, before: "3EB0AA" },
      { docs: [], next: "3EB0AB" },
    ],
    ["GET /contact", "list-contacts", undefined, { limit: 50, after: "" }, { docs: [], next: "" }],
    [
      "GET /phone?phone=%2B49%20151-12345678,4915112345678&phone=628123456",
      "look-up-phones",
      undefined,
      { phones: [phone, "628123456"] },
      { docs: [{ phone, exists: true, user, lid: user, username: "" }] },
    ],
    ["GET /channel", "list-channels", undefined, {}, { docs: [channel] }],
    ["POST /channel", "create-channel", { name: " N " }, { name: " N ", description: "" }, channel],
    [
      "POST /channel",
      "create-channel",
      { name: "N", description: "d", picture: "https://x/a.jpg" },
      { name: "N", description: "d", picture: "https://x/a.jpg" },
      channel,
    ],
    [`PATCH /channel/${channelId}`, "update-channel", { description: " " }, { channelId, description: "" }, channel],
    [`PATCH /channel/${channelId}`, "update-channel", { name: "N", picture: "" }, { channelId, name: "N", picture: "" }, channel],
    ["POST /channel/follow", "follow-channel", { channel: channelId }, { channel: { kind: "id", id: channelId } }, channel],
    [
      "POST /channel/follow",
      "follow-channel",
      { channel: "https://www.whatsapp.com/channel/0029VaX/101?x" },
      { channel: { kind: "invite", code: "0029VaX" } },
      channel,
    ],
    ["POST /channel/leave", "leave-channel", { channel: channelId }, { channel: { kind: "id", id: channelId } }, { id: channelId }],
    ["PATCH /profile", "update-profile", { name: "Ada L", about: "", picture: null }, { name: "Ada L", about: "" }, { id: "i" }],
    ["POST /block", "block-person", { phone, user }, { to }, { id: "i" }],
    [`DELETE /block?user=${user}`, "unblock-person", undefined, { to: { kind: "user", id: user } }, { id: "i" }],
    [`GET /channel/${channelId}`, "get-channel", undefined, { channelId }, channel],
    [
      `GET /channel/message?channelId=${channelId}`,
      "list-channel-messages",
      undefined,
      { channelId, limit: 50, before: 0 },
      { docs: [message] },
    ],
    [
      `GET /channel/message?channelId=${channelId}&limit=100&before=77`,
      "list-channel-messages",
      undefined,
      { channelId, limit: 100, before: 77 },
      { docs: [] },
    ],
  ])("%s -> %s %j", async (route, command, body, input, output) => {
    api.answers = { [command]: () => output };
    const answer = await api.fetch(route, { body });
    expect([answer.status, await answer.json()]).toEqual([200, output]);
    expect(api.calls).toEqual([{ command, session: api.id, input }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it.each<[object, object]>([
    [{ phone }, to],
    [{ phone: "+49 151 1234-5678" }, { kind: "phone", phone: "+49 151 1234-5678" }],
    [{ phone: "004915112345678" }, { kind: "phone", phone: "004915112345678" }],
    [{ newsletter: channelId }, { kind: "newsletter", id: channelId }],
    [
      { newsletter: channelId, phone },
      { kind: "newsletter", id: channelId },
    ],
    [
      { group: groupId, newsletter: channelId, phone },
      { kind: "group", id: groupId },
    ],
    [
      { group: groupId, newsletter: 5, phone: "x" },
      { kind: "group", id: groupId },
    ],
    [{ group: "", newsletter: null, phone }, to],
    [{ user }, { kind: "user", id: user }],
    [{ user: `${phone}@s.whatsapp.net` }, { kind: "user", id: `${phone}@s.whatsapp.net` }],
    [
      { group: "", newsletter: null, phone: " ", user },
      { kind: "user", id: user },
    ],
    [{ phone, user }, to],
    [{ phone, user: "nobody" }, to],
    [
      { newsletter: channelId, user },
      { kind: "newsletter", id: channelId },
    ],
    [
      { group: groupId, user },
      { kind: "group", id: groupId },
    ],
    [
      { group: "", newsletter: channelId, phone },
      { kind: "newsletter", id: channelId },
    ],
  ])("of several recipients the first one counts: %j", async (recipients, expected) => {
    api.answers = { "send-message": () => sent };
    expect((await api.fetch("POST /message", { body: { ...recipients, type: "text", text: "x" } })).status).toBe(200);
    expect(api.calls[0]?.input).toEqual({ to: expected, type: "text", text: "x" });
  });

  it("omits fields from a response that the OpenAPI document does not name", async () => {
    api.answers = { "list-groups": () => ({ docs: [{ ...group, secret: "x" }] }) };
    expect(await (await api.fetch("GET /group")).json()).toEqual({ docs: [group] });
  });
});

describe("400", () => {
  const recipients = "invalid phone, group or newsletter";
  const types = "type must be one of the following values: text, image, video, audio, document, location, contact";
  const statusTypes = "type must be one of the following values: text, image, video";
  const noType = "type should not be empty";
  const typingTypes = "type must be one of the following values: text, audio";
  const groupShape = "groupId must be a group id that ends in @g.us";
  const of = (type: string, object?: unknown): object => ({ phone, type, ...(object === undefined ? {} : { [type]: object }) });
  const status = (type: string, object?: unknown): object => ({ type, ...(object === undefined ? {} : { [type]: object }) });

  it.each<[string, unknown, string]>([
    ["POST /message", undefined, recipients],
    ["POST /message", {}, recipients],
    ["POST /message", { type: "poll" }, recipients],
    ["POST /message", { type: "text" }, recipients],
    ["POST /message", { phone: "", group: "", newsletter: "", type: "text", text: "x" }, recipients],
    ["POST /message", { phone: null, type: "text", text: "x" }, recipients],
    ["POST /message", { phone: 4915112345.5, type: "text", text: "x" }, recipients],
    ["POST /message", { phone: "123", type: "text", text: "x" }, recipients],
    ["POST /message", { phone: "0151 12345678", type: "text", text: "x" }, recipients],
    ["POST /message", { phone: "call me", type: "text", text: "x" }, recipients],
    ["POST /message", { phone: `${phone}@s.whatsapp.net`, type: "text", text: "x" }, recipients],
    ["POST /message", { group: phone, phone, type: "text", text: "x" }, recipients],
    ["POST /message", { group: channelId, type: "text", text: "x" }, recipients],
    ["POST /message", { group: { id: 1 }, phone, type: "text", text: "x" }, recipients],
    ["POST /message", { newsletter: groupId, type: "text", text: "x" }, recipients],
    ["POST /message", { newsletter: "news", phone, type: "text", text: "x" }, recipients],
    ["POST /message", { phone: "123", user, type: "text", text: "x" }, recipients],
    ...[phone, "@lid", "12a@lid", "12@c.us", "12:3@lid", "+12@lid", " 12@lid", "12@lid\n", `${"1".repeat(33)}@lid`, 12, [user]].map(
      (id): [string, unknown, string] => ["POST /message", { user: id, type: "text", text: "x" }, recipients],
    ),
    ["POST /typing", { user: groupId }, "invalid phone or group"],
    ["POST /message", { phone }, noType],
    ["POST /message", of("poll"), types],
    ["POST /message", of(""), noType],
    ["POST /message", { phone, type: null }, noType],
    ["POST /message", { phone, type: ["text"] }, types],
    ["POST /message", of("__proto__"), types],
    ["POST /message", [], "body must be an object"],
    ["POST /message", "{", "body must be valid JSON"],
    ["POST /message", of("text"), "text should not be empty"],
    ["POST /message", of("text", ""), "text should not be empty"],
    ["POST /message", of("text", null), "text should not be empty"],
    ["POST /message", of("text", 5), "text must be a string"],
    ["POST /message", of("image"), "image should not be empty"],
    ["POST /message", of("image", null), "image should not be empty"],
    ["POST /message", of("image", "http://x"), "image must be an object"],
    ["POST /message", of("image", {}), "image.url should not be empty\nimage.mimetype should not be empty"],
    ["POST /message", of("image", { ...photo, url: "" }), "image.url should not be empty"],
    ["POST /message", of("image", { ...photo, url: 1 }), "image.url must be a string"],
    ["POST /message", of("image", { ...photo, url: `http://x/${"a".repeat(2048)}` }), "image.url must be at most 2048 bytes"],
    ["POST /message", of("image", { ...photo, thumbnail: 1 }), "image.thumbnail must be a string"],
    ["POST /message", { ...of("image", photo), text: 1 }, "text must be a string"],
    ["POST /message", of("video"), "video should not be empty"],
    [
      "POST /message",
      of("video", {}),
      "video.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration should not be empty",
    ],
    ["POST /message", of("video", { ...film, duration: null }), "video.duration should not be empty"],
    ["POST /message", of("video", { ...film, duration: 0 }), "video.duration must be a positive number"],
    ["POST /message", of("video", { ...film, duration: -1 }), "video.duration must be a positive number"],
    ["POST /message", of("video", { ...film, duration: "2" }), "video.duration must be a positive number"],
    [
      "POST /message",
      '{"phone":"4915112345678","type":"video","video":{"url":"u","mimetype":"m","duration":1e400}}',
      "video.duration must be a positive number",
    ],
    ["POST /message", of("audio"), "audio should not be empty"],
    ["POST /message", of("audio", { ...song, mimetype: "" }), "audio.mimetype should not be empty"],
    ["POST /message", of("audio", { ...song, duration: 0 }), "audio.duration must be a positive number"],
    ["POST /message", of("document"), "document should not be empty"],
    [
      "POST /message",
      of("document", {}),
      "document.url should not be empty\ndocument.name should not be empty\ndocument.size should not be empty\ndocument.mimetype should not be empty",
    ],
    ["POST /message", of("document", { ...paper, name: "" }), "document.name should not be empty"],
    ["POST /message", of("document", { ...paper, size: 0 }), "document.size must be a positive number"],
    ["POST /message", of("location"), "location should not be empty"],
    ["POST /message", of("location", {}), "location.latitude should not be empty\nlocation.longitude should not be empty"],
    ["POST /message", of("location", { ...place, latitude: 0 }), "location.latitude should not be empty"],
    ["POST /message", of("location", { ...place, longitude: 0 }), "location.longitude should not be empty"],
    [
      "POST /message",
      '{"phone":"4915112345678","type":"location","location":{"latitude":-0.0,"longitude":1}}',
      "location.latitude should not be empty",
    ],
    [
      "POST /message",
      of("location", { ...place, latitude: "-6.2" }),
      "location.latitude must be a number from -90 to 90, not text: leave out the quotes",
    ],
    ["POST /message", of("location", { ...place, latitude: 90.1 }), "location.latitude must be a number from -90 to 90"],
    ["POST /message", of("location", { ...place, longitude: -181 }), "location.longitude must be a number from -180 to 180"],
    ["POST /message", of("location", { ...place, name: 1 }), "location.name must be a string"],
    ["POST /message", of("contact"), "contact should not be empty"],
    ["POST /message", of("contact", {}), "contact.name should not be empty\ncontact.phone should not be empty"],
    ["POST /message", of("contact", { ...person, name: "" }), "contact.name should not be empty"],
    ["POST /message", of("contact", { ...person, phone: "" }), "contact.phone should not be empty"],
    ["POST /message", of("contact", { ...person, phone: 49 }), "contact.phone must be a string"],
    ["POST /message", of("contact", { ...person, phone: "a\nTEL:1" }), "contact.phone must be a number in international format"],
    ["POST /message", of("contact", { ...person, phone: "0151 12345678" }), "contact.phone must be a number in international format"],
    ["POST /message/reaction", { newsletter: groupId, messageId: "1", emoji: "x" }, recipients],
    [
      "POST /message/reaction",
      { phone, messageId: "a".repeat(257), emoji: 1 },
      "messageId must be at most 256 bytes\nemoji must be a string",
    ],
    ["POST /message/reaction", { phone, messageId: "1", emoji: "x", author: groupId }, "author must be the id of a person"],
    [
      "POST /message/reaction",
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${String(at).padStart(2, "0")}${"f".repeat(99)}`, 1])),
      Array.from({ length: 10 }, (_, at) => `property ${String(at).padStart(2, "0")}${"f".repeat(62)} should not exist`).join("\n"),
    ],
    ["POST /status", undefined, noType],
    ["POST /status", { type: null }, noType],
    ["POST /status", { type: "audio" }, statusTypes],
    ["POST /status", status("text"), "text should not be empty"],
    ["POST /status", status("text", ""), "text should not be empty"],
    ["POST /status", status("image"), "image should not be empty"],
    ["POST /status", status("image", { ...photo, mimetype: "" }), "image.mimetype should not be empty"],
    ["POST /status", status("video"), "video should not be empty"],
    ["POST /status", status("video", { ...film, duration: undefined }), "video.duration should not be empty"],
    ["POST /typing", undefined, "invalid phone or group"],
    ["POST /typing", { newsletter: channelId }, "invalid phone or group"],
    ["POST /typing", { phone: "x", type: "poll" }, "invalid phone or group"],
    ["POST /typing", { group: channelId, phone }, "invalid phone or group"],
    ["POST /typing", { phone, type: "video" }, typingTypes],
    ["POST /typing", { phone, type: 0 }, typingTypes],
    ["GET /group/member", undefined, "groupId should not be empty\ngroupId must be a string"],
    ["GET /group/member?groupid=1", undefined, "groupId should not be empty\ngroupId must be a string"],
    ["GET /group/member?groupId=", undefined, "groupId should not be empty"],
    ["GET /group/member?groupId=1&groupId=2", undefined, "groupId must be a string"],
    ["GET /group/member?groupId=120363041234567890", undefined, groupShape],
    [`GET /group/member?groupId=${phone}@s.whatsapp.net`, undefined, groupShape],
    [`GET /group/member?groupId=${"1".repeat(257)}`, undefined, "groupId must be at most 256 bytes"],
    [`GET /group/${channelId}`, undefined, groupShape],
    ["GET /group/%zz", undefined, "path is not properly encoded"],
    ["GET /channel/message", undefined, "channelId should not be empty\nchannelId must be a string"],
    ["GET /channel/message?channelId=", undefined, "channelId should not be empty"],
    [`GET /channel/message?channelId=${channelId}&limit=0`, undefined, "limit must be an integer from 1 to 100"],
    [`GET /channel/message?channelId=${channelId}&before=x`, undefined, "before must be an integer from 0 to 2147483647"],
  ])("%s %j", async (route, body, sentence) => {
    const answer = await api.fetch(route, { body });
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message: sentence }]);
    expect(api.calls).toEqual([]);
  });
});

describe("order of checks", () => {
  const endpoints = [
    "GET /session",
    "POST /session/reset",
    "DELETE /session",
    "POST /message",
    "POST /status",
    "POST /message/reaction",
    "POST /message/read",
    "PATCH /message/1",
    "DELETE /message/1",
    "POST /typing",
    "GET /group",
    "GET /group/member",
    "GET /group/1",
    "GET /channel",
    "GET /channel/message",
    "GET /channel/1",
    "GET /chat",
    "GET /chat/message",
    "GET /contact",
    "GET /phone",
  ];

  it.each(endpoints)("headers, then session, before all: %s", async (route) => {
    for (const [headers, status, sentence] of [
      [{ id: "" }, 400, "invalid header"],
      [{ "session-id": "" }, 400, "invalid header"],
      [{ id: newSessionId(Date.now()) }, 404, "session not found"],
      [{ "session-id": newSessionSecret() }, 404, "session not found"],
    ] as [Record<string, string>, number, string][]) {
      const answer = await api.fetch(route, { headers });
      expect([answer.status, await answer.json()]).toEqual([status, { statusCode: status, message: sentence }]);
    }
  });

  it("does not know sessions of the other platform", async () => {
    api.session = aSession({ ...api.session, platform: "telegram" });
    expect((await api.fetch("GET /session")).status).toBe(404);
  });

  it("body before connection, which the shard checks", async () => {
    api.answers = {
      "send-message": () => {
        throw errors.sessionNotConnected();
      },
    };
    expect((await api.fetch("POST /message", { body: { phone, type: "text" } })).status).toBe(400);
    const answer = await api.fetch("POST /message", { body: { phone, type: "text", text: "x" } });
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "session not connected" }]);
  });

  it("lets the platform decide whether a channel exists, whatever the form of its id", async () => {
    api.answers = {
      "get-channel": () => {
        throw errors.channelNotFound();
      },
    };
    const answer = await api.fetch("GET /channel/nobody");
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "channel not found" }]);
    expect(api.calls[0]?.input).toEqual({ channelId: "nobody" });
  });
});

describe("errors of commands", () => {
  it.each<[Error, string]>([
    [errors.contactsNotSynced(), 'contacts not synced, reconnect the session or set status privacy to "only share with"'],
    [errors.noStatusContacts(), 'status privacy "only share with" has no contacts'],
    [errors.fileFromUrl("404 Not Found"), "error parser file from url 404 Not Found"],
    [new Error("ECONNRESET 10.0.0.1"), "internal server error"],
  ])("%s", async (error, sentence) => {
    api.answers = {
      "post-status": () => {
        throw error;
      },
    };
    const answer = await api.fetch("POST /status", { body: { type: "text", text: "x" } });
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: sentence }]);
  });
});

describe("GET /session", () => {
  const record = {
    generatedId: "",
    name: "",
    username: "",
    phone: "",
    isConnected: false,
    qrcode: "",
    isPasswordRequired: false,
    passwordHint: "",
    picture: "",
    webhook: { url: "", token: "" },
    pairingCode: "",
  };
  const withCode = { kind: "awaiting-qr", qr: "", pairingCode: "ABCD1234", elapsedMs: 0 } as const;

  it.each<[string, Parameters<typeof aSession>[0], object]>([
    ["connected", {}, { ...anAccount, isConnected: true }],
    ["disconnected", { state: { kind: "disconnected", account: anAccount, elapsedMs: 5 } }, { ...anAccount }],
    ["awaiting a scan", { state: { kind: "awaiting-qr", qr: "https://wa.me/x", elapsedMs: 0 }, qrPng: "iVBO" }, { qrcode: "iVBO" }],
    ["awaiting a code on the phone", { state: withCode }, { pairingCode: "ABCD1234" }],
    ["awaiting without an owner", { state: withCode, qrPng: "iVBO", active: false }, {}],
  ])("%s", async (_, change, expected) => {
    api.session = aSession({ ...api.session, ...change });
    const answer = await api.fetch("GET /session");
    expect([answer.status, await answer.json()]).toEqual([200, { ...record, id: api.id, sessionId: api.secret, ...expected }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it.each([receiver, { ...receiver, events: ["message.new", "call.offered"] as const }])("shows the webhook: %j", async (settings) => {
    api.session = aSession({ ...api.session, webhook: sealWebhook(api.ring, api.id, settings as WebhookSettings) });
    expect(await (await api.fetch("GET /session")).json()).toEqual(expect.objectContaining({ webhook: settings }));
  });
});

describe("POST /session", () => {
  const create = (body?: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${api.base}/session`, {
      method: "POST",
      headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body }),
    });

  beforeEach(() => {
    api.answers = { "create-session": (_, session) => ({ id: session }) };
  });

  it.each<[string | undefined, string]>([
    [undefined, ""],
    ["{}", ""],
    ['{"other":1}', ""],
    ['{"phone":"+49 151 1234-5678"}', "4915112345678"],
    ['{"phone":"004915112345678"}', "4915112345678"],
    ['{"phone":"12345678"}', "12345678"],
  ])("body %s asks for a code for %j", async (body, digits) => {
    const answer = await create(body);
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { id: expect.stringMatching(/^[0-9a-f]{24}$/) as string, sessionId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string },
    ]);
    expect(api.calls[0]?.input).toEqual({
      ...newSession(expect.stringMatching(/^[0-9a-f]{64}$/) as string),
      incarnation: "",
      phone: digits,
    });
  });

  it.each(
    ["1234567", "+49 151", "00", "abcdefgh", "1234567890123456"]
      .map((text) => JSON.stringify({ phone: text }))
      .concat('{"phone":1234567}', '{"phone":[]}'),
  )("body %s: 400 invalid phone", async (body) => {
    const answer = await create(body);
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message: "invalid phone" }]);
    expect(api.calls).toEqual([]);
  });

  it("requires a key before it reads the body", async () => {
    const keyed = new ApiUnderTest();
    await keyed.start("create:right");
    const answer = await fetch(`${keyed.base}/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"phone":1}',
    });
    expect(answer.status).toBe(401);
    await keyed.app.stop(0);
  });
});

describe("paths that are not there", () => {
  it.each(["GET /webhook", "POST /webhook", "PUT /webhook", "DELETE /webhook", "POST /session/password"])("%s", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const answer = await api.fetch(route);
    expect([answer.status, await answer.json()]).toEqual([404, { statusCode: 404, message: `Cannot ${method} /whatsapp${path}` }]);
  });

  it.each(["GET /message", "GET /status", "GET /typing"])("%s: another method than the path has", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const answer = await api.fetch(route);
    expect([answer.status, answer.headers.get("allow"), await answer.json()]).toEqual([
      405,
      "POST, OPTIONS",
      { statusCode: 405, message: `Cannot ${method} /whatsapp${path}` },
    ]);
  });
});

it("packs lists without secrets alone: no login, no link", () => {
  const packed = Object.entries(routes).filter(([, route]) => "compressible" in route);
  expect(packed.map(([name]) => name)).toEqual([
    "list-groups",
    "list-group-members",
    "get-group",
    "list-channels",
    "list-channel-messages",
    "get-channel",
  ]);
});
