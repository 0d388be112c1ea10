import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { type BinaryNode, proto, type WACallEvent, type WAMessage, type WAMessageUpdate } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

const ownJid = "6281155501008@s.whatsapp.net";
const bobJid = "6281155501002@s.whatsapp.net";

let sandbox: WhatsAppSandbox;
let heidi: Client;
const updates: WAMessageUpdate[] = [];
const stanzas: BinaryNode[] = [];

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  listen(await sandbox.linked("heidi"));
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

function listen(client: Client): void {
  heidi = client;
  client.socket.ev.on("messages.update", (some) => void updates.push(...some));
  for (const tag of ["message", "receipt", "call"]) client.socket.ws.on(`CB:${tag}`, (stanza: BinaryNode) => void stanzas.push(stanza));
}

type Fields = Record<string, unknown>;
const post = async (path: string, fields: Fields): Promise<Fields> => {
  const { status, body } = await sandbox.control("POST", path, { account: "heidi", ...fields });
  expect(body).not.toHaveProperty("statusCode");
  expect(status).toBe(200);
  return body;
};
const send = (fields: Fields = {}): Promise<Fields> => post("/people/send", { chat: "bob", ...fields });
const fault = (fields: Fields): Promise<Fields> => post("/faults", fields);
const ofId = (id: unknown): WAMessage[] => heidi.received.filter(({ key }) => key.id === id);
const received = (id: unknown): Promise<WAMessage> => until(() => ofId(id).at(-1));
const seen = (id: unknown): BinaryNode[] => stanzas.filter(({ attrs }) => attrs["id"] === id);
const deliveries = async (query = ""): Promise<Fields[]> => await sandbox.docs(`/deliveries?account=heidi${query}`);
const delivery = async (id: unknown): Promise<Fields | undefined> => (await deliveries()).find(({ messageId }) => messageId === id);

describe("the log of deliveries", () => {
  it("has the time at which each message was sent, and at which the device confirmed it", async () => {
    const before = Date.now();
    const { messageId } = await send({ text: "logged" });
    await expect.poll(async () => (await delivery(messageId))?.["confirmations"]).toHaveLength(1);
    const entry = Object(await delivery(messageId));
    expect(entry).toMatchObject({ chatId: bobJid, copies: 1, isSealed: true, confirmations: [{ by: "receipt", type: "inactive" }] });
    expect(entry.sentAt[0]).toBeGreaterThanOrEqual(before);
    expect(entry.confirmations[0].at).toBeGreaterThanOrEqual(entry.sentAt[0]);
    await expect.poll(() => deliveries("&confirmed=false")).toEqual([]);
  });
});

describe("what a device has not confirmed", () => {
  it("is delivered again at the next login, in order", async () => {
    // The server loses the client's receipts.
    await fault({ kind: "stall", method: "receipt", times: 2 });
    const ids = [(await send({ text: "one" }))["messageId"], (await send({ text: "two" }))["messageId"]];
    await until(() => ids.every((id) => seen(id).length === 1));
    expect((await deliveries("&confirmed=false")).map(({ messageId }) => messageId)).toEqual(ids);
    heidi.end();
    await heidi.closed;
    ids.push((await send({ text: "three" }))["messageId"]);
    stanzas.length = 0;
    listen(await sandbox.client(heidi.state));
    expect(await heidi.opened).toBe("open");
    await received(ids[2]);
    // The bare library acks a message that it has decrypted before, and sends no receipt: its sender sees it undelivered.
    await expect.poll(async () => Object(await delivery(ids[1])).confirmations).toMatchObject([{ by: "ack", error: "487" }]);
    expect((await deliveries("&confirmed=false")).map(({ messageId }) => messageId)).toEqual(ids.slice(0, 2));
    const offline = stanzas.filter(({ tag, attrs }) => tag === "message" && attrs["offline"] !== undefined);
    expect(offline.map(({ attrs }) => attrs["id"])).toEqual(ids);
  });
});

describe("the receipts of recipients", () => {
  const statuses = (id: unknown): unknown[] => updates.filter(({ key }) => key.id === id).map(({ update }) => update.status);
  const { READ } = proto.WebMessageInfo.Status;

  it("come from each phone, and from the account's own", async () => {
    const { id } = await sandbox.sent(heidi, "heidi", bobJid, { text: "hello" });
    const types = (): unknown[] => seen(id).map(({ attrs }) => [attrs["from"], attrs["recipient"], attrs["type"]]);
    await until(() => types().length === 2);
    expect(types()).toEqual([
      [ownJid, bobJid, "sender"],
      [bobJid, undefined, undefined],
    ]);
    await post("/people/read", { chat: "bob", messageId: id, type: "read" });
    await until(() => statuses(id).includes(READ));
  });

  it("name the member of a group", async () => {
    const { id } = await sandbox.sent(heidi, "heidi", sharedGroups.family, { text: "hello all" });
    const receipt = await until(() => seen(id).find(({ tag }) => tag === "receipt"));
    expect(receipt.attrs).toMatchObject({ from: sharedGroups.family, participant: expect.stringContaining("@s.whatsapp.net") });
  });

  it("say that the owner read on the phone", async () => {
    const { messageId } = await send({ text: "read me" });
    await received(messageId);
    await post("/people/read", { chat: "bob", messageId, inbox: true });
    await until(() => updates.find(({ key, update }) => key.id === messageId && key.fromMe === false && update.status === READ));
    await post("/people/read", { chat: "bob", messageId, inbox: true, silent: true });
    const silent = await until(() => seen(messageId).find(({ attrs }) => attrs["type"] === "read-self"));
    expect(silent.attrs).toMatchObject({ recipient: bobJid });
  });
});

describe("a fault", () => {
  it("delivers a confirmed message again, as the same stanza", async () => {
    const { messageId } = await send({ text: "again" });
    await received(messageId);
    await fault({ kind: "redeliver", times: 1 });
    await until(() => seen(messageId).length === 2);
    // The client cannot decrypt the message a second time, and may request a retry.
    expect(Object(await delivery(messageId)).copies).toBeGreaterThan(1);
  });

  it("delivers each message twice", async () => {
    await fault({ kind: "duplicate" });
    const { messageId } = await send({ text: "twice" });
    await until(() => seen(messageId).length === 2);
  });

  it("makes a message unreadable until the device asks again", async () => {
    await fault({ kind: "unreadable" });
    const { messageId } = await send({ text: "at last" });
    const readable = await until(() => ofId(messageId).find(({ message }) => message?.extendedTextMessage?.text === "at last"));
    expect(readable.key.id).toBe(messageId);
  });

  it("makes a message unreadable for ever", async () => {
    await fault({ kind: "unreadable", error: "never" });
    const { messageId } = await send({ text: "never" });
    await received(messageId);
    const { messageId: next } = await send({ text: "next" });
    await received(next);
    expect(ofId(messageId).every(({ message }) => message?.extendedTextMessage == null)).toBe(true);
    expect((await deliveries("&confirmed=false")).map((entry) => entry["messageId"])).toContain(messageId);
  });

  it("loses the files of the media server, until a phone uploads one again", async () => {
    const { messageId, media } = await send({ media: "image" });
    const message = await received(messageId);
    const { imageMessage } = message.message ?? {};
    await fault({ kind: "gone-media", error: "410" });
    expect(await status(imageMessage?.url)).toBe(410);
    await heidi.socket.updateMediaMessage(message);
    expect(imageMessage?.directPath).not.toBe(Object(media).directPath);
    const host = new URL(imageMessage?.url ?? "").host;
    expect(host).not.toBe("");
    const { hosts } = await heidi.socket.refreshMediaConn();
    expect(await status(`https://${hosts[0]?.hostname}${imageMessage?.directPath}`)).toBe(200);
  });

  it("loses a file that the phone does not have either", async () => {
    const { messageId } = await send({ media: "document" });
    const message = await received(messageId);
    await fault({ kind: "gone-media", method: "lacks" });
    await expect(heidi.socket.updateMediaMessage(message)).rejects.toMatchObject({ output: { statusCode: 404 } });
    await sandbox.control("DELETE", "/faults?platform=whatsapp");
    expect(await status(message.message?.documentMessage?.url)).toBe(200);
  });
});

describe("a placeholder", () => {
  it("is resent by the account's phone", async () => {
    const { messageId } = await send({ text: "on the phone", unavailable: true });
    await until(() => ofId(messageId).find(({ message }) => message?.extendedTextMessage?.text === "on the phone"));
  });

  it("remains where a message may be opened once", async () => {
    const { messageId } = await send({ media: "image", viewOnce: true, unavailable: true });
    const { key } = await received(messageId);
    expect(Object(key).isViewOnce).toBe(true);
  });
});

describe("a group", () => {
  it("is changed by its members", async () => {
    const changes: unknown[] = [];
    heidi.socket.ev.on("group-participants.update", ({ action, author, participants }) =>
      changes.push([action, author, participants.map(({ id }) => id)]),
    );
    heidi.socket.ev.on("groups.update", (some) => changes.push(...some.map(({ subject, author }) => [subject, author])));
    const chat = sharedGroups.family;
    const person = "447900000043@s.whatsapp.net";
    await post("/people/group", { chat, from: "bob", add: person });
    await post("/people/group", { chat, from: "bob", promote: person });
    await post("/people/group", { chat, from: "bob", subject: "Family!", remove: [person] });
    await until(() => changes.length === 4);
    expect(changes).toEqual([
      ["add", bobJid, [person]],
      ["promote", bobJid, [person]],
      ["remove", bobJid, [person]],
      ["Family!", bobJid],
    ]);
    const refused = await sandbox.control("POST", "/people/group", { account: "heidi", chat, remove: person });
    expect(refused).toMatchObject({ status: 409, body: { message: "remove: not a member" } });
  });
});

describe("a call", () => {
  it("rings and ends", async () => {
    const calls: WACallEvent[] = [];
    heidi.socket.ev.on("call", (some) => void calls.push(...some));
    const { callId } = await post("/people/call", { chat: "bob", video: true });
    await until(() => calls.find(({ id, status }) => id === callId && status === "offer"));
    expect(calls[0]).toMatchObject({ from: bobJid, isVideo: true, isGroup: false });
    await post("/people/call", { chat: "bob", callId, action: "terminate" });
    await until(() => calls.find(({ id, status }) => id === callId && status === "timeout"));
  });
});

async function status(url: string | null | undefined): Promise<number | undefined> {
  const agent = new Agent({ ca: await readFile(sandbox.whatsapp.mediaCaPath, "utf8") });
  return await new Promise((resolve, reject) => {
    request(url ?? "", { agent }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
