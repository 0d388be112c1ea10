import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSessionId, newSessionSecret } from "../../../shared/contract/ids.js";
import { createSession, loggedIn, request, type Answer, type Caller } from "../../harness/api.js";
import { startGateway, type Gateway } from "../../harness/gateway.js";

/** Variant A's common rules and every row of its error table that a request alone can bring about, against the running system. */
let gateway: Gateway;
let connected: Caller;
let waiting: Caller;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  connected = await loggedIn(gateway, "alice", "whatsapp");
  waiting = await createSession(gateway, "whatsapp");
}, 180_000);
afterAll(() => gateway.stop());

type Headers = Record<string, string>;

async function send(route: string, headers: Headers, body?: unknown): Promise<Answer> {
  const [method = "", path = ""] = route.split(" ");
  const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const type: Headers = body === undefined ? {} : { "content-type": "application/json" };
  return await request(`${gateway.whatsapp[0] ?? ""}${path}`, { method, headers: { ...type, ...headers }, ...init });
}

const pairOf = ({ credentials }: Caller): Headers => ({ id: credentials.id, "session-id": credentials.sessionId });
const shape = (statusCode: number, message: string): object => ({ status: statusCode, body: { statusCode, message } });

const group = "120363999999999999@g.us";
const newsletter = "120363999999999999@newsletter";
const phone = "6281234567890";

const endpoints = [
  "GET /session",
  "POST /session/reset",
  "DELETE /session",
  "POST /message",
  "POST /status",
  "POST /typing",
  "GET /group",
  "GET /group/member",
  `GET /group/${group}`,
  "GET /channel",
  "GET /channel/message",
  `GET /channel/${newsletter}`,
];

describe.each(endpoints)("%s", (route) => {
  it.each<[string, (pair: Headers) => Headers]>([
    ["without headers", () => ({})],
    ["without session-id", ({ id = "" }) => ({ id })],
    ["without id", (pair) => ({ "session-id": pair["session-id"] ?? "" })],
    ["with an empty id", (pair) => ({ ...pair, id: "" })],
    ["with an id over 128 bytes", (pair) => ({ ...pair, id: "a".repeat(129) })],
  ])("%s: 400 invalid header", async (_, change) => {
    expect(await send(route, change(pairOf(connected)))).toMatchObject(shape(400, "invalid header"));
  });

  it.each<[string, (pair: Headers) => Headers]>([
    ["an unknown id", (pair) => ({ ...pair, id: newSessionId(Date.now()) })],
    ["another secret", (pair) => ({ ...pair, "session-id": newSessionSecret() })],
    ["an id of another shape", (pair) => ({ ...pair, id: "x" })],
  ])("with %s: 404 session not found", async (_, change) => {
    expect(await send(route, change(pairOf(connected)))).toMatchObject(shape(404, "session not found"));
  });
});

describe("parameters and bodies: 400", () => {
  const recipients = "invalid phone, group or newsletter";
  const types = "type must be one of the following values: text, image, video, audio, document, location, contact";
  const statusTypes = "type must be one of the following values: text, image, video";
  const typingTypes = "type must be one of the following values: text, audio";
  const of = (type: string, object?: unknown): object => ({ phone, type, ...(object === undefined ? {} : { [type]: object }) });
  const photo = { url: "http://example.com/a.jpg", mimetype: "image/jpeg" };
  const film = { url: "http://example.com/a.mp4", mimetype: "video/mp4", duration: 3 };
  const song = { url: "http://example.com/a.mp3", mimetype: "audio/mpeg", duration: 3 };
  const paper = { url: "http://example.com/a.pdf", name: "a.pdf", size: 3, mimetype: "application/pdf" };
  const place = { latitude: 1, longitude: 1 };

  it.each<[string, unknown, string]>([
    ["POST /message", undefined, recipients],
    ["POST /message", { type: "text", text: "x" }, recipients],
    ["POST /message", { phone: "", type: "text", text: "x" }, recipients],
    ["POST /message", { phone: "nobody", type: "text", text: "x" }, recipients],
    ["POST /message", { group: newsletter, phone, type: "text", text: "x" }, recipients],
    ["POST /message", { newsletter: group, phone, type: "text", text: "x" }, recipients],
    ["POST /message", { phone }, "type should not be empty"],
    ["POST /message", { phone, type: null }, "type should not be empty"],
    ["POST /message", { phone, type: "" }, "type should not be empty"],
    ["POST /message", { phone, type: ["text"] }, types],
    ["POST /message", of("poll"), types],
    ["POST /message", of("text"), "text should not be empty"],
    ["POST /message", of("text", ""), "text should not be empty"],
    ["POST /message", of("text", "   "), "text should not be empty"],
    ["POST /message", of("image"), "image should not be empty"],
    ["POST /message", of("video"), "video should not be empty"],
    ["POST /message", of("audio"), "audio should not be empty"],
    ["POST /message", of("document"), "document should not be empty"],
    ["POST /message", of("location"), "location should not be empty"],
    ["POST /message", of("contact"), "contact should not be empty"],
    ["POST /message", of("image", { ...photo, url: "" }), "image.url should not be empty"],
    ["POST /message", of("image", { ...photo, mimetype: "" }), "image.mimetype should not be empty"],
    ["POST /message", of("video", { ...film, duration: undefined }), "video.duration should not be empty"],
    ["POST /message", of("video", { ...film, duration: 0 }), "video.duration must be a positive number"],
    ["POST /message", of("audio", { ...song, duration: -1 }), "audio.duration must be a positive number"],
    ["POST /message", of("document", { ...paper, name: "" }), "document.name should not be empty"],
    ["POST /message", of("document", { ...paper, size: 0 }), "document.size must be a positive number"],
    ["POST /message", of("location", { ...place, latitude: 0 }), "location.latitude should not be empty"],
    ["POST /message", of("location", { ...place, longitude: 0 }), "location.longitude should not be empty"],
    ["POST /message", of("contact", { name: "Ada" }), "contact.phone should not be empty"],
    ["POST /message", of("contact", { phone }), "contact.name should not be empty"],
    ["POST /message", "[]", "body must be an object"],
    ["POST /message", '{"phone":', "body must be valid JSON"],
    ["POST /status", {}, "type should not be empty"],
    ["POST /status", { type: "audio" }, statusTypes],
    ["POST /status", { type: "text" }, "text should not be empty"],
    ["POST /status", { type: "image" }, "image should not be empty"],
    ["POST /status", { type: "video" }, "video should not be empty"],
    [
      "POST /status",
      { type: "video", video: {} },
      "video.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration should not be empty",
    ],
    ["POST /typing", {}, "invalid phone or group"],
    ["POST /typing", { newsletter }, "invalid phone or group"],
    ["POST /typing", { phone, type: "video" }, typingTypes],
    ["POST /typing", { phone, type: 0 }, typingTypes],
    ["GET /group/member", undefined, "groupId should not be empty\ngroupId must be a string"],
    ["GET /group/member?groupId=", undefined, "groupId should not be empty"],
    ["GET /group/member?groupId=1", undefined, "groupId must be a group id that ends in @g.us"],
    ["GET /group/1", undefined, "groupId must be a group id that ends in @g.us"],
    ["GET /channel/message", undefined, "channelId should not be empty\nchannelId must be a string"],
    [`GET /channel/message?channelId=${newsletter}&limit=0`, undefined, "limit must be an integer from 1 to 100"],
  ])("%s %j", async (route, body, message) => {
    expect(await send(route, pairOf(connected), body)).toMatchObject(shape(400, message));
  });

  it("a body that is not declared as JSON", async () => {
    expect(await send("POST /message", { ...pairOf(connected), "content-type": "text/plain" }, "{}")).toMatchObject(
      shape(400, "content-type must be application/json"),
    );
  });

  it("a body over 64 KiB: 413", async () => {
    expect(await send("POST /message", pairOf(connected), of("text", "x".repeat(70_000)))).toMatchObject({
      status: 413,
      body: { statusCode: 413 },
    });
  });
});

describe("a session that is not connected", () => {
  it.each<[string, unknown]>([
    ["GET /group", undefined],
    [`GET /group/member?groupId=${group}`, undefined],
    [`GET /group/${group}`, undefined],
    ["GET /channel", undefined],
    [`GET /channel/${newsletter}`, undefined],
    ["GET /channel/nobody", undefined],
    [`GET /channel/message?channelId=${newsletter}`, undefined],
    ["POST /message", { phone, type: "text", text: "x" }],
    ["POST /status", { type: "text", text: "x" }],
    ["POST /typing", { phone }],
  ])("%s: 500 session not connected", async (route, body) => {
    expect(await send(route, pairOf(waiting), body)).toMatchObject(shape(500, "session not connected"));
  });

  it("hears of a bad body first: 400", async () => {
    expect(await send("POST /message", pairOf(waiting), { phone, type: "text" })).toMatchObject(shape(400, "text should not be empty"));
  });

  it("can be read", async () => {
    expect(await send("GET /session", pairOf(waiting))).toMatchObject({
      status: 200,
      body: { id: waiting.credentials.id, isConnected: false, isPasswordRequired: false, passwordHint: "" },
    });
  });
});

describe("an unknown chat of a connected session", () => {
  it.each([
    `GET /channel/${newsletter}`,
    "GET /channel/nobody",
    "GET /channel/1%40g.us",
    `GET /channel/message?channelId=${newsletter}`,
    "GET /channel/message?channelId=nobody",
  ])("%s: 500 channel not found", async (route) => {
    expect(await send(route, pairOf(connected))).toMatchObject(shape(500, "channel not found"));
  });

  it.each([`GET /group/${group}`, `GET /group/member?groupId=${group}`])("%s: 500 group not found", async (route) => {
    expect(await send(route, pairOf(connected))).toMatchObject(shape(500, "group not found"));
  });
});

describe("what is not there", () => {
  it.each([
    "GET /",
    "GET /webhook",
    "POST /webhook",
    "PUT /session",
    "POST /session/password",
    "PATCH /session",
    "GET /message",
    "GET /status",
    "GET /nothing",
    "GET /media/x",
  ])("%s: 404 in shape", async (route) => {
    const [method = "", path = ""] = route.split(" ");
    expect(await send(route, pairOf(connected))).toMatchObject(shape(404, `Cannot ${method} /whatsapp${path}`));
  });

  it.each(["GET", "POST", "PUT", "DELETE"])("%s /webhook without headers", async (method) => {
    expect(await send(`${method} /webhook`, {}, method === "POST" ? { url: "http://example.com", token: "t" } : undefined)).toMatchObject(
      shape(404, `Cannot ${method} /whatsapp/webhook`),
    );
  });

  it("a session of the other platform", async () => {
    const other = await createSession(gateway);
    expect(await send("GET /session", pairOf(other))).toMatchObject(shape(404, "session not found"));
  });
});

describe("creation", () => {
  it.each([["1234567"], ["hello"], ["00"], [1234567]])("with phone %j: 400 invalid phone", async (given) => {
    expect(await send("POST /session", { "x-api-key": gateway.adminKey }, { phone: given })).toMatchObject(shape(400, "invalid phone"));
  });

  it("without a key: 401", async () => {
    expect(await send("POST /session", {})).toMatchObject({ status: 401, body: { statusCode: 401 } });
  });
});

describe("after deletion", () => {
  it("every call with the pair answers 404", async () => {
    const gone = await createSession(gateway, "whatsapp");
    expect(await send("DELETE /session", pairOf(gone))).toMatchObject({ status: 200, body: { id: gone.credentials.id } });
    for (const route of endpoints) expect(await send(route, pairOf(gone)), route).toMatchObject(shape(404, "session not found"));
  });
});
