import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ending } from "../../../../shared/flow/ending.js";
import * as errors from "../../../../shared/contract/telegram/errors.js";
import { newSessionId, newSessionSecret } from "../../../../shared/contract/ids.js";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { sealWebhook } from "../../../../shared/session/webhook-settings.js";
import { authorize } from "../../../../router/endpoint/authorize.js";
import { anAccount, aRequest, aSession, knownKeys, openSocket, until } from "../support.js";
import { ApiUnderTest } from "./api-under-test.js";
import { newSession } from "../../../harness/new-session.js";
import { routes } from "../../../../router/telegram/routes.js";

let api: ApiUnderTest;
beforeEach(async () => {
  api = new ApiUnderTest();
  await api.start();
});
afterEach(async () => {
  await api.app.stop(0);
});

const group = { id: "-100123", name: "G", username: "", description: "d", picture: "", created: "2026-01-01T00:00:00.000Z" };
const channel = { id: "-100124", name: "C", username: "c", picture: "", isOwner: true, created: "2026-01-01T00:00:00.000Z" };
const member = { id: "5", name: "M", username: "", phone: "" };
const message = {
  id: "1",
  channelId: "-100124",
  type: "text",
  text: "hi",
  created: "",
  edited: "",
  views: 0,
  url: "",
  thumbnail: "",
  mimetype: "",
  name: "",
  size: 0,
  duration: 0,
  width: 0,
  height: 0,
};
const photo = { url: "http://x/a.jpg", mimetype: "image/jpeg" };
const film = { url: "http://x/a.mp4", mimetype: "video/mp4", duration: 2.5 };

describe("what reaches the shard and what comes back", () => {
  it.each<[string, string, unknown, unknown, unknown]>([
    ["POST /session/password", "submit-password", { password: "x", other: 1 }, { password: "x" }, { id: "i" }],
    [
      "PUT /session/webhook",
      "set-webhook",
      { url: "http://127.0.0.1:7777/x", token: "a b", more: 1 },
      { url: "http://127.0.0.1:7777/x", token: "a b" },
      { id: "i" },
    ],
    ["PUT /session/webhook", "set-webhook", { url: "", token: "" }, { url: "", token: "" }, { id: "i" }],
    ["POST /session/reset", "reset-session", undefined, {}, { id: "i" }],
    ["POST /session/reset", "reset-session", {}, {}, { id: "i" }],
    ["DELETE /session", "delete-session", undefined, {}, { id: "i" }],
    [
      "POST /message/reaction",
      "send-reaction",
      { group: "-100123", messageId: "12", author: "5", emoji: "👍" },
      { to: { kind: "group", chat: { kind: "id", id: "-100123" } }, messageId: 12, emoji: "👍" },
      { messageId: "12" },
    ],
    [
      "POST /message/read",
      "read-message",
      { channel: "alice_news", messageId: "2147483647" },
      { to: { kind: "channel", chat: { kind: "username", username: "alice_news" } }, messageId: 2_147_483_647 },
      { id: "i" },
    ],
    [
      "PATCH /message/12",
      "edit-message",
      { group: "-100123", text: "*x*", parseMode: "markdown" },
      { to: { kind: "group", chat: { kind: "id", id: "-100123" } }, messageId: 12, text: "*x*", parseMode: "markdown" },
      { messageId: "12" },
    ],
    [
      "DELETE /message/12?group=-100123&user=&author=5",
      "delete-message",
      undefined,
      { to: { kind: "group", chat: { kind: "id", id: "-100123" } }, messageId: 12 },
      { messageId: "12" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "text", text: "hello" },
      { type: "text", text: "hello", privacy: "contacts" },
      { statusId: "7" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "text", text: "a", privacy: "everyone", image: 5 },
      { type: "text", text: "a", privacy: "everyone" },
      { statusId: "" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "image", image: { ...photo, extra: 1 } },
      { type: "image", text: "", privacy: "contacts", image: photo },
      { statusId: "7" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "image", text: "cap", privacy: "close_friends", image: photo },
      { type: "image", text: "cap", privacy: "close_friends", image: photo },
      { statusId: "7" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "video", video: film },
      { type: "video", text: "", privacy: "contacts", video: film },
      { statusId: "7" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "video", video: { ...film, thumbnail: "" } },
      { type: "video", text: "", privacy: "contacts", video: film },
      { statusId: "7" },
    ],
    [
      "POST /status",
      "post-status",
      { type: "video", video: { ...film, thumbnail: "http://x/t.jpg" } },
      { type: "video", text: "", privacy: "contacts", video: { ...film, thumbnail: "http://x/t.jpg" } },
      { statusId: "7" },
    ],
    ["GET /group", "list-groups", undefined, {}, { docs: [group] }],
    ["GET /group/member?groupId=-100123", "list-group-members", undefined, { groupId: "-100123" }, { docs: [member] }],
    ["GET /group/member?groupId=%40name&x=1", "list-group-members", undefined, { groupId: "@name" }, { docs: [] }],
    ["GET /group/-100123", "get-group", undefined, { groupId: "-100123" }, group],
    ["GET /group/a%20b", "get-group", undefined, { groupId: "a b" }, group],
    ["GET /group/%2Fetc", "get-group", undefined, { groupId: "/etc" }, group],
    ["GET /chat", "list-chats", undefined, { limit: 50, after: "" }, { docs: [], next: "" }],
    [
      "GET /chat/message?chat=t.me/Bob_Sandbox&limit=7&before=77",
      "list-chat-messages",
      undefined,
      { chat: { kind: "username", username: "bob_sandbox" }, limit: 7, before: 77 },
      { docs: [], next: "70" },
    ],
    ["GET /contact?limit=2&after=5", "list-contacts", undefined, { limit: 2, after: "5" }, { docs: [], next: "" }],
    [
      "GET /phone?phone=%2B49%20151-12345678,4915112345678&phone=1555010002",
      "look-up-phones",
      undefined,
      { phones: ["4915112345678", "1555010002"] },
      { docs: [{ phone: "4915112345678", exists: false, user: "", lid: "", username: "" }] },
    ],
    ["GET /channel", "list-channels", undefined, {}, { docs: [channel] }],
    ["POST /channel", "create-channel", { name: " N ", description: "" }, { name: " N ", description: "" }, channel],
    [
      "POST /channel",
      "create-channel",
      { name: "N", description: "d", picture: "https://x/a.jpg" },
      { name: "N", description: "d", picture: "https://x/a.jpg" },
      channel,
    ],
    ["PATCH /channel/-100124", "update-channel", { description: " " }, { channelId: "-100124", description: "" }, channel],
    ["PATCH /channel/news", "update-channel", { name: "N", picture: "" }, { channelId: "news", name: "N", picture: "" }, channel],
    ["POST /channel/follow", "follow-channel", { channel: "@News" }, { channel: { kind: "username", username: "news" } }, channel],
    ["POST /channel/follow", "follow-channel", { channel: "-100124" }, { channel: { kind: "id", id: "-100124" } }, channel],
    [
      "POST /channel/follow",
      "follow-channel",
      { channel: "https://t.me/+AbCdEfGhIjKlMnOp" },
      { channel: { kind: "invite", link: "https://t.me/+AbCdEfGhIjKlMnOp" } },
      channel,
    ],
    [
      "POST /channel/leave",
      "leave-channel",
      { channel: "tg://join?invite=AbCdEfGhIjKlMnOp" },
      { channel: { kind: "invite", link: "tg://join?invite=AbCdEfGhIjKlMnOp" } },
      { id: "-100124" },
    ],
    ["PATCH /profile", "update-profile", { name: "Ada L", about: "", picture: null }, { name: "Ada L", about: "" }, { id: "i" }],
    ["POST /block", "block-person", { user: "5", phone: "x" }, { to: { kind: "user", chat: { kind: "id", id: "5" } } }, { id: "i" }],
    ["DELETE /block?phone=%2B49151123456", "unblock-person", undefined, { to: { kind: "phone", digits: "49151123456" } }, { id: "i" }],
    ["GET /channel/-100124", "get-channel", undefined, { channelId: "-100124" }, channel],
    ["GET /channel/message?channelId=c", "list-channel-messages", undefined, { channelId: "c", limit: 50, before: 0 }, { docs: [message] }],
    [
      "GET /channel/message?channelId=c&limit=100&before=77",
      "list-channel-messages",
      undefined,
      { channelId: "c", limit: 100, before: 77 },
      { docs: [] },
    ],
  ])("%s -> %s %j", async (route, command, body, input, output) => {
    api.answers = { [command]: () => output };
    const answer = await api.fetch(route, { body });
    expect([answer.status, await answer.json()]).toEqual([200, output]);
    expect(api.calls).toEqual([{ command, session: api.id, input }]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("omits fields from a response that the OpenAPI document does not name", async () => {
    api.answers = { "list-groups": () => ({ docs: [{ ...group, secret: "x" }] }) };
    expect(await (await api.fetch("GET /group")).json()).toEqual({ docs: [group] });
  });

  it("escapes text", async () => {
    const odd = { ...group, name: '"\\\u0000\u2028\ud800 </script>' };
    api.answers = { "get-group": () => odd };
    expect(await (await api.fetch("GET /group/1")).json()).toEqual(odd);
  });
});

describe("400", () => {
  const types = "type must be one of the following values: text, image, video";
  const privacies = "privacy must be one of the following values: everyone, contacts, close_friends";
  const text = (change: object): object => ({ type: "text", text: "x", ...change });
  const image = (change: object): object => ({ type: "image", image: { ...photo, ...change } });
  const video = (change: object): object => ({ type: "video", video: { ...film, ...change } });

  it.each<[string, unknown, string]>([
    ["POST /status", undefined, types],
    ["POST /status", {}, types],
    ["POST /status", { type: "audio" }, types],
    ["POST /status", { type: 1 }, types],
    ["POST /status", { type: null }, types],
    ["POST /status", { type: "__proto__" }, types],
    ["POST /status", [], "body must be an object"],
    ["POST /status", '"text"', "body must be an object"],
    ["POST /status", "null", "body must be an object"],
    ["POST /status", "7", "body must be an object"],
    ["POST /status", text({ privacy: "friends" }), privacies],
    ["POST /status", text({ privacy: 0 }), privacies],
    ["POST /status", text({ privacy: ["everyone"] }), privacies],
    ["POST /status", { type: "text" }, "text should not be empty"],
    ["POST /status", text({ text: "" }), "text should not be empty"],
    ["POST /status", text({ text: " \n\u00a0" }), "text should not be empty"],
    ["POST /status", text({ text: null }), "text should not be empty"],
    ["POST /status", text({ text: 7 }), "text must be a string"],
    ["POST /status", text({ text: "", privacy: "x" }), `text should not be empty\n${privacies}`],
    ["POST /status", { type: "image" }, "image should not be empty"],
    ["POST /status", { type: "image", image: null }, "image should not be empty"],
    ["POST /status", { type: "image", image: "http://x" }, "image must be an object"],
    ["POST /status", { type: "image", image: [] }, "image must be an object"],
    ["POST /status", { type: "video", video: [{}], text: [] }, "text must be a string\nvideo must be an object"],
    ["POST /status", { type: "image", image: {} }, "image.url should not be empty\nimage.mimetype should not be empty"],
    ["POST /status", image({ url: "" }), "image.url should not be empty"],
    ["POST /status", image({ url: 1 }), "image.url must be a string"],
    ["POST /status", image({ url: `http://x/${"a".repeat(2048)}` }), "image.url must be at most 2048 bytes"],
    ["POST /status", image({ mimetype: "" }), "image.mimetype should not be empty"],
    ["POST /status", { ...image({}), text: 7 }, "text must be a string"],
    ["POST /status", { type: "video" }, "video should not be empty"],
    ["POST /status", { type: "video", image: photo }, "video should not be empty"],
    ["POST /status", video({ url: "" }), "video.url should not be empty"],
    ["POST /status", video({ mimetype: undefined }), "video.mimetype should not be empty"],
    ["POST /status", video({ duration: 0 }), "video.duration must be a positive number"],
    ["POST /status", video({ duration: -1 }), "video.duration must be a positive number"],
    ["POST /status", video({ duration: "2" }), "video.duration must be a positive number"],
    ["POST /status", video({ duration: undefined }), "video.duration must be a positive number"],
    ["POST /status", '{"type":"video","video":{"url":"u","mimetype":"m","duration":1e400}}', "video.duration must be a positive number"],
    ["POST /status", video({ thumbnail: 5 }), "video.thumbnail must be a string"],
    [
      "POST /status",
      { privacy: "x", video: { url: "" }, type: "video" },
      `${privacies}\nvideo.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration must be a positive number`,
    ],
    ["POST /session/password", undefined, "password should not be empty"],
    ["POST /session/password", {}, "password should not be empty"],
    ["POST /session/password", { password: "" }, "password should not be empty"],
    ["POST /session/password", { password: 123 }, "password must be a string"],
    ["POST /session/password", "[]", "body must be an object"],
    ["POST /session/password", "1", "body must be an object"],
    ["POST /session/password", "{", "body must be valid JSON"],
    ["GET /group/member", undefined, "groupId must be a string\ngroupId should not be empty"],
    ["GET /group/member?groupid=1", undefined, "groupId must be a string\ngroupId should not be empty"],
    ["GET /group/member?groupId=", undefined, "groupId should not be empty"],
    ["GET /group/member?groupId", undefined, "groupId should not be empty"],
    ["GET /group/member?groupId=1&groupId=2", undefined, "groupId must be a string"],
    [`GET /group/member?groupId=${"a".repeat(257)}`, undefined, "groupId must be at most 256 bytes"],
    ["GET /group/%zz", undefined, "path is not properly encoded"],
    ["GET /channel/message", undefined, "channelId must be a string\nchannelId should not be empty"],
    ["GET /channel/message?channelId=", undefined, "channelId should not be empty"],
    ["GET /channel/message?channelId=c&limit=0", undefined, "limit must be an integer from 1 to 100"],
    ["GET /channel/message?channelId=c&limit=101", undefined, "limit must be an integer from 1 to 100"],
    ["GET /channel/message?channelId=c&limit=1.5", undefined, "limit must be an integer from 1 to 100"],
    ["GET /channel/message?channelId=c&limit=5&limit=6", undefined, "limit must be an integer from 1 to 100"],
    ["GET /channel/message?channelId=c&before=-1", undefined, "before must be an integer from 0 to 2147483647"],
    [
      "GET /channel/message?limit=x",
      undefined,
      "channelId must be a string\nchannelId should not be empty\nlimit must be an integer from 1 to 100",
    ],
  ])("%s %j", async (route, body, message) => {
    const answer = await api.fetch(route, { body });
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message }]);
    expect(api.calls).toEqual([]);
  });

  it("a body that is not declared as JSON", async () => {
    const answer = await api.fetch("POST /status", { body: text({}), headers: { "Content-Type": "text/plain" } });
    expect(await answer.json()).toEqual({ statusCode: 400, message: "content-type must be application/json" });
  });

  it("a text of 64 KiB is too large", async () => {
    const answer = await api.fetch("POST /status", { body: text({ text: "x".repeat(65_536) }) });
    expect([answer.status, await answer.json()]).toEqual([413, { statusCode: 413, message: "request body is too large" }]);
  });
});

describe("order of checks", () => {
  const bad = { body: { type: "audio" } };

  it("headers before all", async () => {
    api.session = undefined;
    const answer = await api.fetch("POST /status", { ...bad, headers: { id: "" } });
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message: "invalid header" }]);
  });

  it.each([
    "GET /session",
    "POST /session/password",
    "POST /session/reset",
    "DELETE /session",
    "POST /message",
    "POST /typing",
    "POST /status",
    "GET /group",
    "GET /group/member",
    "GET /group/1",
    "GET /channel",
    "GET /channel/message",
    "GET /channel/1",
  ])("session before parameters: %s", async (route) => {
    const wrong: Record<string, string>[] = [{ id: newSessionId(Date.now()) }, { "session-id": newSessionSecret() }];
    for (const headers of wrong) {
      const answer = await api.fetch(route, { headers });
      expect([answer.status, await answer.json()]).toEqual([404, { statusCode: 404, message: "session not found" }]);
    }
  });

  it("body before active", async () => {
    api.session = aSession({ ...api.session, active: false });
    expect((await api.fetch("POST /status", bad)).status).toBe(400);
    const answer = await api.fetch("GET /group");
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "session not found" }]);
  });

  it("waits for an owner that comes", async () => {
    api.later = api.session;
    api.session = aSession({ ...api.session, active: false });
    api.answers = { "list-groups": () => ({ docs: [] }) };
    expect((await api.fetch("GET /group")).status).toBe(200);
  });

  it("body before connection, which the shard checks", async () => {
    api.answers = {
      "post-status": () => {
        throw errors.sessionNotConnected();
      },
    };
    expect((await api.fetch("POST /status", bad)).status).toBe(400);
    const answer = await api.fetch("POST /status", { body: { type: "text", text: "x" } });
    expect([answer.status, await answer.json()]).toEqual([500, { statusCode: 500, message: "session not connected" }]);
  });
});

describe("errors of commands", () => {
  it.each<[Error, number, string, string | null]>([
    [errors.groupNotFound(), 400, "group not found", null],
    [
      errors.platformError("400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)"),
      500,
      "400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)",
      null,
    ],
    [errors.serverBusy(), 503, "server busy", "1"],
    [errors.askedToWait(17), 503, "telegram asked to wait 17s", "17"],
    [new Error("ECONNRESET 10.0.0.1"), 500, "internal server error", null],
  ])("%s", async (error, status, message, retryAfter) => {
    api.answers = {
      "list-group-members": () => {
        throw error;
      },
    };
    const answer = await api.fetch("GET /group/member?groupId=1");
    expect([answer.status, await answer.json(), answer.headers.get("retry-after")]).toEqual([
      status,
      { statusCode: status, message },
      retryAfter,
    ]);
  });

  it("ends the wait for a command when the client leaves", async () => {
    let signal: Ending | undefined;
    api.answers = {
      "list-groups": (_, __, given) =>
        new Promise((_resolve, reject) => (signal = given)?.addEventListener("abort", () => reject(new Error("left")))),
    };
    const socket = await openSocket(api.app.port);
    socket.write(`GET /telegram/group HTTP/1.1\r\nHost: x\r\nid: ${api.id}\r\nsession-id: ${api.secret}\r\n\r\n`);
    await until(() => signal !== undefined);
    socket.destroy();
    await until(() => signal?.aborted === true);
  });
});

describe("a session that floods", () => {
  it("is reported, while other sessions are served", async () => {
    const limited = new ApiUnderTest();
    await limited.start({ commandLimits: { total: 10, perSession: 2 } });
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    limited.answers = { "list-groups": () => gate.then(() => ({ docs: [] })) };
    const waiting = [limited.fetch("GET /group"), limited.fetch("GET /group")];
    await until(() => limited.calls.length === 2);
    const answer = await limited.fetch("GET /group");
    expect([answer.status, await answer.json(), answer.headers.get("retry-after")]).toEqual([
      429,
      { statusCode: 429, message: "too many requests" },
      "1",
    ]);
    expect((await limited.fetch("GET /session")).status).toBe(200);
    open();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await limited.fetch("GET /group")).status).toBe(200);
    await limited.app.stop(0);
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
  };

  it.each<[string, Parameters<typeof aSession>[0], object]>([
    ["connected", {}, { ...anAccount, isConnected: true }],
    ["disconnected", { state: { kind: "disconnected", account: anAccount, elapsedMs: 5 } }, { ...anAccount }],
    ["connected but without an owner", { active: false }, { ...anAccount }],
    ["awaiting a scan", { state: { kind: "awaiting-qr", qr: "tg://login", elapsedMs: 0 }, qrPng: "iVBO" }, { qrcode: "iVBO" }],
    [
      "awaiting a scan without an owner",
      { state: { kind: "awaiting-qr", qr: "tg://login", elapsedMs: 0 }, qrPng: "iVBO", active: false },
      {},
    ],
    [
      "awaiting a password",
      { state: { kind: "awaiting-password", hint: "dog", elapsedMs: 0 }, qrPng: "stale" },
      { isPasswordRequired: true, passwordHint: "dog" },
    ],
  ])("%s", async (_, change, expected) => {
    api.session = aSession({ ...api.session, ...change });
    const answer = await api.fetch("GET /session");
    expect([answer.status, await answer.json()]).toEqual([200, { ...record, id: api.id, sessionId: api.secret, ...expected }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(api.calls).toEqual([]);
  });
  it("responds from memory as without it, also after a change of the record and with each caller's own secret", async () => {
    const told = async (): Promise<unknown> => {
      const answer = await api.fetch("GET /session");
      return [answer.status, await answer.json(), answer.headers.get("cache-control"), answer.headers.get("content-type")];
    };
    for (const change of [{}, { state: { kind: "disconnected", account: anAccount, elapsedMs: 5 } }, { heard: false }, {}] as const) {
      api.session = aSession({ ...api.session, version: {}, ...change });
      api.remembers = false;
      const asked = await told();
      api.remembers = true;
      expect([await told(), await told()]).toEqual([asked, asked]);
    }
    const wrong = await api.fetch("GET /session", { headers: { "session-id": newSessionSecret() } });
    expect([wrong.status, await wrong.json()]).toEqual([404, { statusCode: 404, message: "session not found" }]);
  });
  it("shows the webhook, which is sealed for its session alone", async () => {
    const settings = { url: "http://h", token: "t" };
    api.session = aSession({ ...api.session, webhook: sealWebhook(api.ring, api.id, settings) });
    for (let round = 0; round < 2; round++) expect(await (await api.fetch("GET /session")).json()).toMatchObject({ webhook: settings });
    api.session = aSession({ ...api.session, webhook: sealWebhook(api.ring, newSessionId(Date.now()), settings) });
    expect((await api.fetch("GET /session")).status).toBe(500);
  });
});

describe("POST /session", () => {
  const create = (headers: Record<string, string> = {}, body?: string): Promise<Response> =>
    fetch(`${api.base}/session`, { method: "POST", headers, ...(body === undefined ? {} : { body }) });

  beforeEach(() => {
    api.answers = { "create-session": (_, session) => ({ id: session }) };
  });

  it("makes a pair of which the shard only gets the hash", async () => {
    const answer = await create();
    const pair: unknown = await answer.json();
    expect(answer.status).toBe(201);
    expect(pair).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), sessionId: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) });
    expect(JSON.stringify(api.calls)).not.toContain((pair as { sessionId: string }).sessionId);
    expect(api.calls[0]?.input).toEqual({ ...newSession(expect.stringMatching(/^[0-9a-f]{64}$/) as string), incarnation: "" });
  });

  it.each<[string, { label: string; metadata: string }]>([
    ['{"label":"Front desk 👋"}', { label: "Front desk 👋", metadata: "" }],
    ['{"label":" ","metadata":null}', { label: "", metadata: "" }],
    ['{"metadata":{}}', { label: "", metadata: "{}" }],
    ['{"metadata":{"a":[1,{"b":" "}],"__proto__":null}}', { label: "", metadata: '{"a":[1,{"b":" "}],"__proto__":null}' }],
    [`{"label":"${"👋".repeat(64)}"}`, { label: "👋".repeat(64), metadata: "" }],
    [`{"metadata":{"a":"${"x".repeat(1016)}"}}`, { label: "", metadata: `{"a":"${"x".repeat(1016)}"}` }],
  ])("keeps the caller's notes: %s", async (body, notes) => {
    expect((await create({ "Content-Type": "application/json" }, body)).status).toBe(201);
    expect(api.calls[0]?.input).toMatchObject({ tenant: "default", ...notes });
  });

  it.each<[string, string]>([
    ['{"label":1}', "label must be a string"],
    ['{"label":{}}', "label must be a string"],
    [`{"label":"${"x".repeat(65)}"}`, "label must be at most 64 characters"],
    [`{"label":"${"👋".repeat(65)}"}`, "label must be at most 64 characters"],
    ['{"label":"a\\nb"}', "label must be one line without control characters"],
    ['{"label":"a\\u202eb"}', "label must be one line without control characters"],
    ['{"metadata":[]}', "metadata must be an object"],
    ['{"metadata":"{}"}', "metadata must be an object"],
    [`{"metadata":{"a":"${"x".repeat(1017)}"}}`, "metadata must be at most 1024 bytes of JSON"],
    ['{"label":1,"metadata":1}', "label must be a string\nmetadata must be an object"],
  ])("refuses %s", async (body, message) => {
    const answer = await create({ "Content-Type": "application/json" }, body);
    expect([answer.status, await answer.json()]).toEqual([400, { statusCode: 400, message }]);
    expect(api.calls).toEqual([]);
  });

  it.each<[string, number]>([
    ["{}", 201],
    ['{"anything":1}', 201],
    ["[]", 400],
    ["1", 400],
    ["{", 400],
  ])("body %s: %i", async (body, status) => {
    expect((await create({ "Content-Type": "application/json" }, body)).status).toBe(status);
  });

  it.each(["x-forwarded-for", "forwarded"])("does not take a proxy for this machine: %s", async (name) => {
    const answer = await create({ [name]: "10.0.0.1" });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ statusCode: 403 });
    expect(api.calls).toEqual([]);
  });

  it.each(["https://evil.example", "http://127.0.0.1", "null", ""])(
    "does not take a page of another origin for this machine: %j",
    async (origin) => {
      expect((await create({ origin })).status).toBe(403);
      expect(api.calls).toEqual([]);
    },
  );

  it("takes a page of its own for this machine", async () => {
    expect((await create({ origin: new URL(api.base).origin })).status).toBe(201);
  });

  it.each([
    ["127.0.0.1", true],
    ["127.8.8.8", true],
    ["0000:0000:0000:0000:0000:0000:0000:0001", true],
    ["::ffff:127.0.0.1", true],
    ["0000:0000:0000:0000:0000:ffff:7f00:0001", true],
    ["0000:0000:0000:0000:0000:ffff:0a00:0001", false],
    ["10.0.0.1", false],
    ["::ffff:10.0.0.1", false],
    ["", false],
    ["2001:db8::1", false],
  ])("without keys, address %s may create: %s", (address, allowed) => {
    const ask = (): unknown =>
      authorize(knownKeys(ConfiguredKeys.parse("")), "create-session", { ...aRequest({}), address: () => address });
    if (allowed) expect(ask).not.toThrow();
    else expect(ask).toThrow(expect.objectContaining({ status: 403 }));
  });

  it("requires a key when keys are configured", async () => {
    const keyed = new ApiUnderTest();
    keyed.answers = api.answers;
    await keyed.start({ apiKeys: "create:right,admin:boss" });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${keyed.base}/session`, { method: "POST", headers })).status;
    expect([
      await status({}),
      await status({ "x-api-key": "wrong" }),
      await status({ "x-api-key": "right" }),
      await status({ "x-api-key": "boss" }),
    ]).toEqual([401, 401, 201, 201]);
    await keyed.app.stop(0);
  });
});

describe("paths that are not there", () => {
  it.each([
    "GET /group/1/2",
    "GET /channel/1/2",
    "GET /media",
    "GET /media/a/b/c/d",
    "GET /media/a/b/c/d/e.f/",
    "GET /nothing",
    "OPTIONS /nothing",
  ])("%s", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    const answer = await fetch(api.base + path, { method });
    expect([answer.status, await answer.json()]).toEqual([404, { statusCode: 404, message: `Cannot ${method} /telegram${path}` }]);
  });

  it.each([
    ["PUT /session", "GET, HEAD, POST, DELETE, OPTIONS"],
    ["PATCH /session", "GET, HEAD, POST, DELETE, OPTIONS"],
    ["GET /status", "POST, OPTIONS"],
    ["GET /message", "POST, OPTIONS"],
    ["GET /typing", "POST, OPTIONS"],
    ["POST /session/webhook", "PUT, OPTIONS"],
    ["DELETE /group", "GET, HEAD, POST, OPTIONS"],
    ["POST /media/a/b/c/d/e.f", "GET, HEAD, OPTIONS"],
  ])("%s: another method than the path has, %s", async (route, allow) => {
    const [method = "", path = ""] = route.split(" ");
    const answer = await fetch(api.base + path, { method });
    expect([answer.status, answer.headers.get("allow"), await answer.json()]).toEqual([
      405,
      allow,
      { statusCode: 405, message: `Cannot ${method} /telegram${path}` },
    ]);
  });

  it.each(["/session/", "/group/", "/channel/"])("%s is the path without its last slash", async (path) => {
    const [slashed, plain] = [await fetch(api.base + path), await fetch(api.base + path.slice(0, -1))];
    expect([slashed.status, await slashed.json()]).toEqual([plain.status, await plain.json()]);
    expect(slashed.status).toBe(400);
  });

  it.each(["/session", "/whatsapp/session", "/telegramx/session", "/"])("%s outside the prefix", async (path) => {
    expect((await fetch(`http://127.0.0.1:${api.app.port}${path}`)).status).toBe(404);
  });
});

it("packs lists without secrets alone: no login, no link", () => {
  const packed = Object.entries(routes).filter(([, route]) => "compressible" in route);
  expect(packed.map(([name]) => name)).toEqual(["list-groups", "list-group-members", "get-group", "list-channels", "get-channel"]);
});
