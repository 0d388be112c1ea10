import { expect } from "vitest";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import { sessionEventTypes, telegramEventTypes, whatsappEventTypes } from "../../../shared/contract/webhook-events.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import type { ReceivedRequest } from "../../harness/webhook-receiver.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { World } from "./world.js";

/** Every documented event arrives, with its documented body and headers. */
export async function playEvents(world: World): Promise<void> {
  const { replay, callers, admin, of } = world;
  for (const platform of ["whatsapp", "telegram"] as const)
    await replay.playAll(`PUT /${platform}/session/webhook`, { headers: of(platform) });
  await turnOn(world, callers.telegram, telegramEventTypes);
  await turnOn(world, callers.whatsapp, whatsappEventTypes);
  await writeOnTelegram(world);
  await replay.play("POST /admin/sessions/{id}/webhook/test", { headers: admin, path: { id: callers.telegram.credentials.id } });
  await writeOnWhatsApp(world);
  await refuseLate(world);
  await loseConnection(world);
  for (const name of Object.keys(replay.document.webhooks)) compare(world, name, await eventually(name, () => taken(world, name)));
  await callers.whatsapp.send("PUT", "/session/webhook", { url: "", token: "" });
}

async function turnOn({ receiver }: World, caller: Caller, events: readonly EventType[]): Promise<void> {
  const { status } = await caller.send("PUT", "/session/webhook", { url: receiver.url, token: "s3cret", events });
  expect(status).toBe(200);
}

async function writeOnTelegram({ sandbox }: World): Promise<void> {
  const people = { platform: "telegram", account: "alice", chat: "bob" };
  const { messageId } = (await sandbox("/people/send", { ...people, media: "location" })).body as { messageId: string };
  await sandbox("/people/edit", { ...people, messageId, text: "Hello again" });
  await sandbox("/people/read", people);
  await sandbox("/people/edit", { ...people, messageId, reaction: "👍" });
  await sandbox("/people/delete", { ...people, messageId });
  const group = { platform: "telegram", account: "alice", chat: "-1001900000003", from: "bob" };
  const sent = (await sandbox("/people/send", { ...group, text: "Hello all" })).body as { messageId: string };
  await sandbox("/people/edit", { ...group, messageId: sent.messageId, text: "Hello everybody" });
  await sandbox("/people/delete", { ...group, messageId: sent.messageId });
  await sandbox("/people/group", { ...group, subject: "Public Square" });
  const poll = (await sandbox("/people/send", { ...group, media: "poll" })).body as { messageId: string };
  await sandbox("/people/vote", { ...group, messageId: poll.messageId, out: true, options: ["At seven"] });
  await sandbox("/people/send", { platform: "telegram", account: "alice", chat: "-1001900000013", text: "Open until six today" });
}

async function writeOnWhatsApp({ sandbox }: World): Promise<void> {
  for (const chat of [{ chat: "bob" }, { chat: sharedGroups.family, from: "bob" }]) {
    const people = { platform: "whatsapp", account: "alice", ...chat };
    const { messageId } = (await sandbox("/people/send", { ...people, media: "image", text: "Look" })).body as { messageId: string };
    await sandbox("/people/edit", { ...people, messageId, text: "Look here" });
    await sandbox("/people/edit", { ...people, messageId, reaction: "👍" });
    await sandbox("/people/delete", { ...people, messageId });
  }
  const alice = { platform: "whatsapp", account: "alice" };
  await sandbox("/people/read", { ...alice, chat: "bob", messageId: "3EB0B430B6F8F1D0E053" });
  const poll = { ...alice, chat: sharedGroups.family, from: "bob" };
  const { messageId } = (await sandbox("/people/send", { ...poll, media: "poll", options: ["At seven", "At eight"] })).body as {
    messageId: string;
  };
  await sandbox("/people/vote", { ...poll, messageId, options: ["At seven"] });
  await sandbox("/people/group", { ...alice, chat: sharedGroups.family, announce: false });
  await sandbox("/people/send", { ...alice, chat: sharedChannels.daily, text: "Open until six today" });
  await sandbox("/people/call", { ...alice, chat: "bob", video: true });
}

/** The first copy of a message is late and refused, after a repeat was accepted. On a slow machine it may come before the repeat. */
async function refuseLate(world: World): Promise<void> {
  const { sandbox, callers } = world;
  const fault = { platform: "whatsapp", account: "alice", times: 1 };
  for (let attempt = 0; attempt < 5 && taken(world, "whatsapp.message.failed") === undefined; attempt += 1) {
    await sandbox("/faults", { ...fault, kind: "delay", method: "message", seconds: 4 });
    await callers.whatsapp.send("POST", "/message", { phone: "6281155501002", type: "text", text: "Are you there?" });
    await sandbox("/faults", { ...fault, kind: "error", method: "message", error: "463" });
    await eventually("the event", () => taken(world, "whatsapp.message.failed"), 6_000).catch(() => undefined);
  }
}

/** Restricts another account for a moment, and loses its connection: its state changes, and its session is deleted in 30 minutes. */
async function loseConnection(world: World): Promise<void> {
  const caller = await loggedIn(world.gateway, "judy", "whatsapp");
  await turnOn(world, caller, sessionEventTypes);
  await world.sandbox("/faults", { platform: "whatsapp", account: "judy", kind: "restricted", seconds: 3 });
  await eventually("session.unrestricted", () => taken(world, "session.unrestricted"));
  await world.sandbox("/faults", { platform: "whatsapp", account: "judy", kind: "drop", seconds: 600 });
  for (const type of sessionEventTypes) await eventually(type, () => taken(world, type));
  expect((await caller.send("DELETE", "/session")).status).toBe(200);
}

/** Returns an accepted request with the event that the document describes under this name. */
function taken({ receiver, callers }: World, name: string): ReceivedRequest | undefined {
  const [, ofWhatsApp, type = ""] = /^(whatsapp\.)?(.+)$/.exec(name) ?? [];
  const { telegram, whatsapp } = callers;
  const session = (ofWhatsApp === undefined ? telegram : whatsapp).credentials.id;
  return receiver.taken.find(({ body }) => {
    const event = JSON.parse(body.toString()) as { readonly type: string; readonly session: string };
    return event.type === type && (event.session === session || type.startsWith("session."));
  });
}

function compare({ replay }: World, name: string, { body, headers }: ReceivedRequest): void {
  const { post } = replay.document.webhooks[name] ?? {};
  const { schema } = post?.requestBody?.content["application/json"] ?? { schema: {} };
  expect([name, replay.faultsOfSchema(schema.$ref?.split("/").at(-1) ?? "", JSON.parse(body.toString()))]).toEqual([name, []]);
  const told = (post?.parameters ?? []).flatMap((one) => ("name" in one ? [one.name] : []));
  const ofHttp = ["host", "connection", "content-type", "content-length", "user-agent"];
  expect([
    name,
    Object.keys(headers)
      .filter((one) => !ofHttp.includes(one))
      .sort(),
  ]).toEqual([name, told.sort()]);
  replay.played.add(name);
}
