import { expect } from "vitest";
import { platforms, type Platform } from "../../../shared/contract/platform.js";
import type { PasskeyOptions, PasskeyStatus } from "../../../shared/contract/passkey.js";
import { createSession, loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { receivedFile } from "../../harness/received-files.js";
import { WebhookReceiver } from "../../harness/webhook-receiver.js";
import { sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { World } from "./world.js";

/** Plays every request of a platform's sessions. */
export async function playMessages({ replay, of }: World, platform: Platform): Promise<void> {
  const headers = of(platform);
  for (const name of ["message", "status", "typing", "message/poll"]) {
    const answers = await replay.playAll(`POST /${platform}/${name}`, { headers });
    expect(answers.length).toBeGreaterThan(1);
  }
  for (const name of ["voice", "sticker", "album"]) await replay.playAll(`POST /${platform}/message/${name}`, { headers });
}

/** The document's ref belongs to no account, so the ref of a new event stands in its place. */
export async function playForward({ replay, of, sandbox, callers }: World, platform: Platform): Promise<void> {
  const route = `POST /${platform}/message/forward`;
  const receiver = await WebhookReceiver.start();
  const webhook = (url: string, token: string): Promise<unknown> => callers[platform].send("PUT", "/session/webhook", { url, token });
  try {
    await webhook(receiver.url, "t");
    await sandbox("/people/send", { platform, account: "alice", text: "to be forwarded" });
    const event = await eventually("the event", () => receiver.taken[0]);
    const { ref } = (JSON.parse(event.body.toString()) as { data: { ref: string } }).data;
    for (const [name, body] of replay.requests(route)) {
      await replay.play(route, { headers: of(platform), body: { ...(body as object), ref } });
      replay.played.add(`${route} > ${name}`);
    }
  } finally {
    await webhook("", "");
    await receiver.stop();
  }
}

/** Plays the calls about one message. The document's ids stand for a message that exists. */
export async function playChanges({ replay, of, callers }: World, platform: Platform): Promise<void> {
  const headers = of(platform);
  const { to, id } = platform === "telegram" ? { to: "bob_sandbox", id: "1000301" } : { to: "15550100002", id: "3EB0C431C26A1916E07A" };
  const body = { [platform === "telegram" ? "username" : "phone"]: to, type: "text", text: "Hello" };
  const sent = (await callers[platform].send("POST", "/message", body)).body as { messageId: string };
  replay.instead.set(id, sent.messageId);
  replay.instead.set("120363041234567890@g.us", sharedGroups.family);
  await replay.playAll(`POST /${platform}/message/reaction`, { headers });
  await replay.playAll(`POST /${platform}/message/read`, { headers });
  await replay.playAll(`PATCH /${platform}/message/{messageId}`, { headers });
  const chat = { [platform === "telegram" ? "username" : "phone"]: to };
  await replay.play(`DELETE /${platform}/message/{messageId}`, { headers, query: chat });
}

/** Plays the calls that change the account and its channels. The document's channel and links stand for others that exist. */
export async function playAccount({ replay, of, callers }: World, platform: Platform): Promise<void> {
  const headers = of(platform);
  await replay.playAll(`PATCH /${platform}/profile`, { headers });
  await replay.playAll(`POST /${platform}/block`, { headers });
  const [, blocked] = replay.requests(`POST /${platform}/block`)[0] ?? [];
  await replay.play(`DELETE /${platform}/block`, { headers, query: blocked as Record<string, string> });
  const made = (await replay.playAll(`POST /${platform}/channel`, { headers })).at(-1)?.body as { id: string };
  await replay.playAll(`PATCH /${platform}/channel/{channelId}`, { headers, path: { channelId: made.id } });
  const { docs } = (await callers[platform].get("/channel")).body as { docs: { id: string; username?: string; isOwner: boolean }[] };
  // A private channel could not be followed again by its id.
  const followed = docs.find(({ isOwner, username }) => !isOwner && username !== "")?.id ?? "";
  const examples = platform === "telegram" ? telegramChannels : whatsappChannels;
  for (const example of examples) replay.instead.set(example, followed);
  // Later tests need the account to follow it.
  await replay.playAll(`POST /${platform}/channel/leave`, { headers });
  await replay.playAll(`POST /${platform}/channel/follow`, { headers });
}

const whatsappChannels = ["120363144038483540@newsletter", "https://whatsapp.com/channel/0029VaSandboxChannel01"];
const telegramChannels = ["-1002000000001", "https://t.me/+AbCdEfGhIjKlMnOp"];

export async function playLists({ replay, of, callers }: World, platform: Platform): Promise<void> {
  const headers = of(platform);
  const to = platform === "telegram" ? { username: "bob_sandbox" } : { phone: "15550100002" };
  await callers[platform].send("POST", "/message", { ...to, type: "text", text: "Hello" });
  const { docs } = (await replay.read(`/${platform}/chat`, { headers, query: { limit: "50" } })).body as {
    docs: { chat: { id: string } }[];
  };
  await replay.read(`/${platform}/chat/message`, { headers, query: { chat: docs[0]?.chat.id ?? "", limit: "50" } });
  await replay.read(`/${platform}/contact`, { headers, query: "examples" });
  await replay.read(`/${platform}/phone`, { headers, query: "examples" });
  const idIn = async (list: string): Promise<string> =>
    ((await replay.read(`/${platform}/${list}`, { headers })).body as { docs: { id: string }[] }).docs[0]?.id ?? "";
  await replay.read(`/${platform}/session`, { headers });
  const groupId = await idIn("group");
  const channelId = await idIn("channel");
  await replay.read(`/${platform}/group/{groupId}`, { headers, path: { groupId } });
  await replay.read(`/${platform}/group/member`, { headers, query: { groupId } });
  await replay.read(`/${platform}/channel/{channelId}`, { headers, path: { channelId } });
  await replay.read(`/${platform}/channel/message`, { headers, query: { channelId, limit: "50", before: "0" } });
}

/** Plays requests without content, which get the error that the document shows. */
export async function playEmptyRequests({ replay, of }: World): Promise<number> {
  let shown = 0;
  for (const [path, methods] of Object.entries(replay.document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const told = responses["400"];
      const example = told === undefined || "$ref" in told ? undefined : told.content?.["application/json"]?.examples?.["emptyRequest"];
      if (example === undefined || !("value" in example)) continue;
      const route = `${method.toUpperCase()} ${path}`;
      const platform = platforms.find((one) => path.startsWith(`/${one}/`)) ?? "telegram";
      const blank = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, " "]));
      const answer = await replay.play(route, {
        headers: of(platform),
        path: blank,
        status: 400,
        ...(method === "get" ? {} : { body: {} }),
      });
      expect([route, answer.body]).toEqual([route, example.value]);
      replay.played.add(`${route} < 400 emptyRequest`);
      shown += 1;
    }
  }
  return shown;
}

/** Plays a session's life from creation to deletion. */
export async function playLife(world: World, platform: Platform): Promise<void> {
  const { replay, admin, gateway } = world;
  await replay.playAll(`POST /${platform}/session`, { headers: admin, status: 201 });
  const { id, sessionId } = (await createSession(gateway, platform)).credentials;
  const headers = { id, "session-id": sessionId };
  await replay.play(`GET /${platform}/session/limits`, { headers });
  await replay.play(`POST /${platform}/session/reset`, { headers });
  await replay.play(`DELETE /${platform}/session`, { headers });
  const gone = await replay.play(`GET /${platform}/session`, { headers, status: 404 });
  expect(gone.body).toEqual({ statusCode: 404, message: "session not found" });
}

/** Logs in as Dave, whose password is the one that the document shows. */
export async function playPassword({ replay, gateway }: World): Promise<Caller> {
  const dave = await createSession(gateway);
  await dave.scan("dave");
  await eventually("the question for the password", async () => (await dave.record()).isPasswordRequired);
  const headers = { id: dave.credentials.id, "session-id": dave.credentials.sessionId };
  const wrong = await replay.play("POST /telegram/session/password", { headers, body: { password: "wrong" }, status: 400 });
  expect(wrong.body).toEqual({ statusCode: 400, message: "invalid password" });
  replay.played.add("telegramInvalidPassword");
  await replay.playAll("POST /telegram/session/password", { headers });
  expect((await dave.record()).isConnected).toBe(true);
  return dave;
}

/** The document's passkey response fits no challenge, because a passkey signs the challenge of one attempt. */
export async function playPasskey({ replay, gateway, sandbox }: World): Promise<void> {
  const route = "/whatsapp/session/passkey";
  const caller = await createSession(gateway, "whatsapp");
  const headers = { id: caller.credentials.id, "session-id": caller.credentials.sessionId };
  const [example] = replay.requests(`POST ${route}`);
  const [name, shown] = example ?? [];
  const none = await replay.play(`POST ${route}`, { headers, body: shown, status: 409 });
  expect(none.body).toEqual({ statusCode: 409, message: "no passkey requested" });
  const noCode = await replay.play(`POST ${route}/confirm`, { headers, status: 409 });
  expect(noCode.body).toEqual({ statusCode: 409, message: "no code to confirm" });
  await caller.scan("passkey");
  const { options } = await eventually("the challenge", async () => {
    const status = (await replay.read(route, { headers })).body as PasskeyStatus;
    return status.state === "challenge" && status;
  });
  const answerTo = async (challenge: PasskeyOptions | null): Promise<object> => {
    const { body } = await sandbox("/phone/passkey", { platform: "whatsapp", account: "passkey", options: challenge });
    return { credential: (body as { credential: unknown }).credential };
  };
  const other = await answerTo(options && { ...options, challenge: Buffer.alloc(32).toString("base64url") });
  const refused = await replay.play(`POST ${route}`, { headers, body: other, status: 400 });
  expect(refused.body).toEqual({ statusCode: 400, message: "credential: it was made for a different challenge" });
  await replay.play(`POST ${route}`, { headers, body: await answerTo(options) });
  const { code } = await eventually("the code", async () => {
    const status = (await caller.get("/session/passkey")).body as PasskeyStatus;
    return status.state === "confirm" && status;
  });
  await sandbox("/phone/passkey/confirm", { platform: "whatsapp", account: "passkey", code });
  await replay.play(`POST ${route}/confirm`, { headers });
  await eventually("connected", async () => (await caller.record()).isConnected);
  for (const played of [`POST ${route} > ${name ?? ""}`, "whatsappInvalidPasskey", "whatsappNoPasskeyAsked", "whatsappNoPasskeyCode"])
    replay.played.add(played);
}

/** Returns the path of a picture's link in a channel. */
export async function mediaPath({ callers }: World, of: "url" | "thumbnail" = "url"): Promise<Record<string, string>> {
  const { docs: channels } = (await callers.telegram.get("/channel")).body as { docs: { id: string }[] };
  for (const { id } of channels) {
    const { docs } = (await callers.telegram.get(`/channel/message?channelId=${encodeURIComponent(id)}`)).body as {
      docs: { url: string; thumbnail: string; type: string }[];
    };
    const url = docs.find((message) => message.type === "image" && message[of] !== "")?.[of];
    if (url === undefined) continue;
    return partsOf(new URL(url).pathname);
  }
  throw new Error("no channel has a picture");
}

function partsOf(path: string): Record<string, string> {
  const [platformId = "", chatId = "", messageId = "", variant = "", file = ""] = path.split("/").slice(3);
  const [signature = "", ext = ""] = file.split(".");
  return { platformId, chatId, messageId, variant, signature, ext };
}

export const mediaRoute = "/telegram/media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}";

export async function playMedia(world: World, platform: Platform): Promise<void> {
  const { replay, callers, links } = world;
  const path = platform === "telegram" ? await mediaPath(world) : partsOf((await receivedFile(callers.whatsapp, links, 5_000)).path);
  await playFile(replay, mediaRoute.replace("telegram", platform), path);
}

async function playFile(replay: World["replay"], mediaRoute: string, path: Record<string, string>): Promise<void> {
  const whole = await replay.read(mediaRoute, { path });
  const etag = whole.headers.get("etag") ?? "";
  await replay.play(`GET ${mediaRoute}`, { path, headers: { range: "bytes=0-99" }, status: 206 });
  await replay.play(`GET ${mediaRoute}`, { path, headers: { range: "bytes=0-99", "if-range": etag }, status: 206 });
  await replay.play(`GET ${mediaRoute}`, { path, headers: { "if-none-match": etag }, status: 304 });
  await replay.play(`HEAD ${mediaRoute}`, { path, headers: { "if-none-match": etag }, status: 304 });
}

/** Logs in an account that rejects statuses, or whose phone is silent. */
export async function otherAccount({ gateway }: World, account: string): Promise<Readonly<Record<string, string>>> {
  const { credentials } = await loggedIn(gateway, account, "whatsapp");
  return { id: credentials.id, "session-id": credentials.sessionId };
}
