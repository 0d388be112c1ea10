import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSessionId, newSessionSecret } from "../../../shared/contract/ids.js";
import { createSession, loggedIn, request, type Answer, type Caller } from "../../harness/api.js";
import { startGateway, type Gateway } from "../../harness/gateway.js";

/** Variant B's common rules and every row of its error tables that a request alone can bring about, against the running system. */
let gateway: Gateway;
let connected: Caller;
let waiting: Caller;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  connected = await loggedIn(gateway, "alice");
  waiting = await createSession(gateway);
});
afterAll(() => gateway.stop());

type Headers = Record<string, string>;

async function send(route: string, headers: Headers, body?: unknown): Promise<Answer> {
  const [method = "", path = ""] = route.split(" ");
  const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const type: Headers = body === undefined ? {} : { "content-type": "application/json" };
  return await request(`${gateway.telegram[0] ?? ""}${path}`, { method, headers: { ...type, ...headers }, ...init });
}

const pairOf = ({ credentials }: Caller): Headers => ({ id: credentials.id, "session-id": credentials.sessionId });
const shape = (statusCode: number, message: string): object => ({ status: statusCode, body: { statusCode, message } });

const endpoints = [
  "GET /session",
  "POST /session/password",
  "POST /session/reset",
  "PUT /session/webhook",
  "DELETE /session",
  "POST /message",
  "POST /typing",
  "POST /status",
  "GET /group",
  "GET /group/member",
  "GET /group/-1001",
  "GET /channel",
  "GET /channel/message",
  "GET /channel/-1001",
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
  const types = "type must be one of the following values: text, image, video";
  const privacies = "privacy must be one of the following values: everyone, contacts, close_friends";
  const photo = { url: "http://example.com/a.jpg", mimetype: "image/jpeg" };
  const film = { url: "http://example.com/a.mp4", mimetype: "video/mp4", duration: 3 };

  it.each<[string, unknown, string]>([
    ["POST /status", {}, types],
    ["POST /status", { type: "audio" }, types],
    ["POST /status", { type: ["text"] }, types],
    ["POST /status", { type: "text", text: "x", privacy: "friends" }, privacies],
    ["POST /status", { type: "image", image: photo, privacy: 1 }, privacies],
    ["POST /status", { type: "text" }, "text should not be empty"],
    ["POST /status", { type: "text", text: "" }, "text should not be empty"],
    ["POST /status", { type: "text", text: " \n" }, "text should not be empty"],
    ["POST /status", { type: "text", text: 5 }, "text must be a string"],
    ["POST /status", { type: "image" }, "image should not be empty"],
    ["POST /status", { type: "video" }, "video should not be empty"],
    ["POST /status", { type: "image", image: { ...photo, url: "" } }, "image.url should not be empty"],
    ["POST /status", { type: "image", image: { ...photo, mimetype: "" } }, "image.mimetype should not be empty"],
    ["POST /status", { type: "video", video: { ...film, url: "" } }, "video.url should not be empty"],
    ["POST /status", { type: "video", video: { ...film, duration: 0 } }, "video.duration must be a positive number"],
    ["POST /status", { type: "video", video: { ...film, duration: "3" } }, "video.duration must be a positive number"],
    [
      "POST /status",
      { type: "video", video: {} },
      "video.url should not be empty\nvideo.mimetype should not be empty\nvideo.duration must be a positive number",
    ],
    ["POST /status", "[]", "body must be an object"],
    ["POST /status", '{"type":', "body must be valid JSON"],
    ["POST /session/password", {}, "password should not be empty"],
    ["POST /session/password", { password: "" }, "password should not be empty"],
    ["POST /session/password", { password: 1 }, "password must be a string"],
    ["POST /session/password", { password: "x" }, "password is not required"],
    ["GET /group/member", undefined, "groupId must be a string\ngroupId should not be empty"],
    ["GET /group/member?groupId=", undefined, "groupId should not be empty"],
    ["GET /channel/message", undefined, "channelId must be a string\nchannelId should not be empty"],
    ["GET /channel/message?channelId=", undefined, "channelId should not be empty"],
    ["GET /channel/message?channelId=x&limit=0", undefined, "limit must be an integer from 1 to 100"],
    ["GET /channel/message?channelId=x&limit=101", undefined, "limit must be an integer from 1 to 100"],
    ["GET /group/member?groupId=nobody_has_this_name", undefined, "chat not found"],
    ["GET /channel/nobody_has_this_name", undefined, "chat not found"],
    ["POST /message", { type: "text", text: "x" }, "invalid phone, username, user, group or channel"],
    ["POST /typing", { type: "text" }, "invalid phone, username, user or group"],
  ])("%s %j", async (route, body, message) => {
    expect(await send(route, pairOf(connected), body)).toMatchObject(shape(400, message));
  });

  it("a body that is not declared as JSON", async () => {
    expect(await send("POST /status", { ...pairOf(connected), "content-type": "text/plain" }, "{}")).toMatchObject(
      shape(400, "content-type must be application/json"),
    );
  });

  it("a body over 64 KiB: 413", async () => {
    expect(await send("POST /status", pairOf(connected), { type: "text", text: "x".repeat(70_000) })).toMatchObject({
      status: 413,
      body: { statusCode: 413 },
    });
  });
});

describe("a session that is not connected", () => {
  it.each([
    "GET /group",
    "GET /group/member?groupId=-1001",
    "GET /group/-1001",
    "GET /channel",
    "GET /channel/-1001",
    "GET /channel/message?channelId=-1001",
  ])("%s: 500", async (route) => {
    expect(await send(route, pairOf(waiting))).toMatchObject(shape(500, "session not connected"));
  });

  it.each<[string, unknown]>([
    ["POST /message", { phone: "15550100002", type: "text", text: "x" }],
    ["POST /typing", { phone: "15550100002", type: "text" }],
    ["POST /status", { type: "text", text: "x" }],
  ])("a good %s: 500", async (route, body) => {
    expect(await send(route, pairOf(waiting), body)).toMatchObject(shape(500, "session not connected"));
  });

  it("a bad story: 400 first", async () => {
    expect(await send("POST /status", pairOf(waiting), { type: "text", text: "" })).toMatchObject(shape(400, "text should not be empty"));
  });

  it("can be read, and is not waiting for a password", async () => {
    expect(await send("GET /session", pairOf(waiting))).toMatchObject({
      status: 200,
      body: { id: waiting.credentials.id, isConnected: false, isPasswordRequired: false },
    });
    expect(await send("POST /session/password", pairOf(waiting), { password: "x" })).toMatchObject(shape(400, "password is not required"));
  });
});

describe("what is not there", () => {
  it.each(["GET /", "PUT /session", "PATCH /session", "OPTIONS /session", "GET /status", "GET /nothing", "GET /media/x"])(
    "%s: 404 in shape",
    async (route) => {
      const [method = "", path = ""] = route.split(" ");
      expect(await send(route, pairOf(connected))).toMatchObject(shape(404, `Cannot ${method} /telegram${path}`));
    },
  );
});

describe("after deletion", () => {
  it("every call with the pair answers 404", async () => {
    const gone = await createSession(gateway);
    expect(await send("DELETE /session", pairOf(gone))).toMatchObject({ status: 200, body: { id: gone.credentials.id } });
    for (const route of endpoints) expect(await send(route, pairOf(gone)), route).toMatchObject(shape(404, "session not found"));
  });
});
