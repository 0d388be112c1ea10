import { createDecipheriv, createHash, createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { getMediaKeys, type MediaType, normalizeMessageContent, type proto, type WAMessage } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { sharedChannels, sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

const bobJid = "6281155501002@s.whatsapp.net";
const carolJid = "6281155501003@s.whatsapp.net";
const ownJid = "6281155501008@s.whatsapp.net";

let sandbox: WhatsAppSandbox;
let heidi: Client;

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  heidi = await sandbox.linked("heidi");
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

type Fields = Record<string, unknown>;
const people = async (action: string, fields: Fields): Promise<{ status: number; body: Fields }> =>
  await sandbox.control("POST", `/people/${action}`, { account: "heidi", chat: "bob", ...fields });
const got = async (id: unknown): Promise<WAMessage> => await until(() => heidi.received.find(({ key }) => key.id === id));
/** Sends a message and returns it as the client reads it. */
async function sent(fields: Fields): Promise<{ body: Fields; message: WAMessage }> {
  const { status, body } = await people("send", fields);
  expect(body).toMatchObject({ messageId: expect.anything() });
  expect(status).toBe(200);
  return { body, message: await got(body["messageId"]) };
}
/** Runs an action on a message, and returns the message that reports the action to the client. */
async function next(action: string, fields: Fields): Promise<WAMessage> {
  const count = heidi.received.length;
  expect(await people(action, fields)).toMatchObject({ status: 200 });
  const isAction = ({ message }: WAMessage): unknown => message?.reactionMessage ?? message?.protocolMessage ?? message?.editedMessage;
  return await until(() => heidi.received.slice(count).find(isAction));
}

describe("a file from a person", () => {
  it.each<[string, keyof proto.IMessage, MediaType, object]>([
    ["image", "imageMessage", "image", { width: 800, caption: "look" }],
    ["video", "videoMessage", "video", { seconds: 3, caption: "look" }],
    ["animation", "videoMessage", "video", { gifPlayback: true }],
    ["round", "ptvMessage", "video", { seconds: 2 }],
    ["audio", "audioMessage", "audio", { seconds: 3, ptt: false }],
    ["voice", "audioMessage", "audio", { ptt: true, mimetype: "audio/ogg; codecs=opus" }],
    ["sticker", "stickerMessage", "image", { mimetype: "image/webp" }],
    ["document", "documentMessage", "document", { fileName: "document.pdf", caption: "look" }],
  ])("can be downloaded: %s", async (media, field, type, fields) => {
    const { body, message } = await sent({ media, text: "look" });
    const content = Object(normalizeMessageContent(message.message)?.[field]);
    expect(content).toMatchObject(fields);
    const stored = await download(content);
    const plain = await decrypted(stored, content.mediaKey, type);
    expect(sha256(stored)).toEqual(Buffer.from(content.fileEncSha256));
    expect(sha256(plain)).toEqual(Buffer.from(content.fileSha256));
    expect(plain).toHaveLength(Number(content.fileLength));
    expect(body["media"]).toMatchObject({ kind: media, size: plain.length, sha256: sha256(plain).toString("hex") });
    const isStream = type === "video" || type === "audio";
    expect(content.streamingSidecar?.length ?? 0).toBe(isStream ? 10 * Math.ceil((stored.length + 16) / 65_536) : 0);
  });

  it("has a size of the test's choice, and a sidecar that signs each 64 KiB with the block before it", async () => {
    const { message } = await sent({ media: "video", size: 200_000 });
    const content = Object(message.message?.videoMessage);
    const stored = await download(content);
    const { iv, macKey } = await getMediaKeys(content.mediaKey, "video");
    const bytes = Buffer.concat([iv, stored]);
    const signatures = [0, 1, 2, 3].map((n) =>
      createHmac("sha256", macKey ?? "")
        .update(bytes.subarray(n * 65_536, (n + 1) * 65_536 + 16))
        .digest()
        .subarray(0, 10),
    );
    expect(Buffer.from(content.streamingSidecar)).toEqual(Buffer.concat(signatures));
  });

  it("may be opened once", async () => {
    const { message } = await sent({ media: "image", viewOnce: true });
    expect(message.message?.viewOnceMessageV2?.message?.imageMessage).toMatchObject({ viewOnce: true });
    expect((await sent({ media: "voice", viewOnce: true })).message.message?.viewOnceMessageV2Extension).toBeDefined();
  });
});

describe("a message without a file", () => {
  it("is a place, a contact or a poll", async () => {
    expect((await sent({ media: "location" })).message.message?.locationMessage).toMatchObject({ name: "London" });
    expect((await sent({ media: "contact" })).message.message?.contactMessage).toMatchObject({ displayName: "Alice" });
    const poll = (await sent({ media: "poll", text: "When?", options: ["now", "later"] })).message.message?.pollCreationMessageV3;
    expect(poll).toMatchObject({ name: "When?", options: [{ optionName: "now" }, { optionName: "later" }] });
  });

  it("is a plain text, or one that replies, mentions or was forwarded", async () => {
    expect((await sent({ text: "hi", plain: true })).message.message).toMatchObject({ conversation: "hi" });
    const first = await sent({ text: "first" });
    const replyTo = first.body["messageId"];
    const { message } = await sent({ text: "@heidi!", replyTo, mentions: ["heidi"], forwarded: true });
    expect(message.message?.extendedTextMessage).toMatchObject({
      text: "@heidi!",
      contextInfo: {
        stanzaId: replyTo,
        participant: bobJid,
        quotedMessage: { extendedTextMessage: { text: "first" } },
        mentionedJid: [ownJid],
        isForwarded: true,
      },
    });
    const own = await sandbox.sent(heidi, "heidi", bobJid, { text: "mine" });
    const reply = await sent({ media: "image", replyTo: own["id"] });
    expect(reply.message.message?.imageMessage?.contextInfo).toMatchObject({
      participant: ownJid,
      quotedMessage: { conversation: "mine" },
    });
  });

  it.each<[string, Fields, object]>([
    ["a poll", { media: "poll", version: 1, text: "When?" }, { pollCreationMessage: { name: "When?" } }],
    ["a text", { text: "see https://example.com/", preview: true }, { extendedTextMessage: { title: "Example" } }],
    ["contacts", { media: "contacts" }, { contactsArrayMessage: { contacts: [{ displayName: "Alice" }, { displayName: "Bob" }] } }],
    ["a place", { media: "live-location" }, { liveLocationMessage: { caption: "on my way" } }],
    ["a disappearing text", { text: "hi", plain: true, envelope: "ephemeral" }, { ephemeralMessage: { message: { conversation: "hi" } } }],
    ["a picture for one look", { media: "image", envelope: "viewOnce" }, { viewOnceMessage: { message: { imageMessage: {} } } }],
    ["an album", { album: 2 }, { albumMessage: { expectedImageCount: 2 } }],
    [
      "its picture",
      { media: "image", albumId: "3EB0A1" },
      { messageContextInfo: { messageAssociation: { parentMessageKey: { id: "3EB0A1" } } } },
    ],
  ])("has the form of other clients on request: %s", async (_, fields, expected) => {
    expect((await sent(fields)).message.message).toMatchObject(expected);
  });

  it("comes from the author's name, in a group from its member", async () => {
    const { message } = await sent({ chat: sharedGroups.big, from: "carol", media: "sticker" });
    expect(message).toMatchObject({
      key: { remoteJid: sharedGroups.big, participantAlt: carolJid },
      pushName: expect.stringMatching(/^Carol /),
    });
    expect(message.message?.stickerMessage).toBeDefined();
  });
});

describe.each([
  ["a private chat", "bob", bobJid],
  ["a group", sharedGroups.big, sharedGroups.big],
])("in %s", (_, chat, remoteJid) => {
  const from = { chat, ...(chat !== "bob" && { from: "bob" }) };

  it("people react, edit and delete", async () => {
    const { body } = await sent({ ...from, text: "hello" });
    const named = { ...from, messageId: body["messageId"] };
    const reaction = await next("edit", { ...named, reaction: "👍" });
    expect(reaction.message?.reactionMessage).toMatchObject({ text: "👍", key: { id: body["messageId"], remoteJid, fromMe: false } });
    expect((await next("edit", { ...named, reaction: "" })).message?.reactionMessage?.text).toBe("");
    const edit = (await next("edit", { ...named, text: "hello!" })).message?.protocolMessage;
    expect(edit).toMatchObject({ type: 14, key: { id: body["messageId"] }, editedMessage: { extendedTextMessage: { text: "hello!" } } });
    const wrapped = await next("edit", { ...named, text: "hello?", wrapped: true });
    expect(wrapped.message?.editedMessage?.message?.protocolMessage?.type).toBe(14);
    const deleted = (await next("delete", named)).message?.protocolMessage;
    expect(deleted).toMatchObject({ type: 0, key: { id: body["messageId"], fromMe: true } });
  });

  it("people react to what the account wrote", async () => {
    const own = await sandbox.sent(heidi, "heidi", remoteJid, { text: "mine" });
    const reaction = await next("edit", { ...from, messageId: own["id"], reaction: "❤️" });
    expect(reaction.message?.reactionMessage).toMatchObject({ key: { id: own["id"], fromMe: true } });
  });

  it("the account's own phone writes, reacts, edits and deletes", async () => {
    const { body, message } = await sent({ ...from, out: true, text: "from my phone", media: "image" });
    expect(message.key).toMatchObject({ remoteJid, fromMe: true });
    expect(message.message?.imageMessage?.caption).toBe("from my phone");
    const named = { ...from, out: true, messageId: body["messageId"] };
    const edit = (await next("edit", { ...named, text: "again" })).message?.protocolMessage;
    expect(edit).toMatchObject({ type: 14, editedMessage: { imageMessage: { caption: "again" } } });
    expect((await next("edit", { ...named, reaction: "👍" })).message?.reactionMessage).toMatchObject({ key: { fromMe: true } });
    expect(await next("delete", named)).toMatchObject({ key: { remoteJid, fromMe: true }, message: { protocolMessage: { type: 0 } } });
  });
});

describe("an administrator", () => {
  it("deletes what another member wrote", async () => {
    const { body } = await sent({ chat: sharedGroups.big, from: "carol", text: "rude" });
    const deleted = await next("delete", { chat: sharedGroups.big, from: "bob", messageId: body["messageId"] });
    expect(deleted.message?.protocolMessage).toMatchObject({
      type: 0,
      key: { fromMe: false, participant: expect.stringContaining("@lid") },
    });
  });
});

describe("a person without a visible number", () => {
  it("is known by the LID alone", async () => {
    await sandbox.control("POST", "/phone/settings", { account: "heidi", person: "447900000042", phoneHidden: true });
    const { body, message } = await sent({ chat: "447900000042", text: "guess who" });
    expect(message.key).toMatchObject({ remoteJid: expect.stringMatching(/@lid$/), fromMe: false });
    expect(message.key.remoteJidAlt ?? undefined).toBeUndefined();
    expect(body["chatId"]).toBe(message.key.remoteJid);
    const ack = await heidi.send(String(body["chatId"]), { text: "who?" });
    expect(ack.attrs["error"]).toBeUndefined();
  });
});

describe("a channel", () => {
  it("posts pictures that need no key", async () => {
    const { message } = await sent({ chat: sharedChannels.daily, media: "image", text: "today" });
    const content = Object(message.message?.imageMessage);
    expect(content.caption).toBe("today");
    expect(sha256(await download(content))).toEqual(Buffer.from(content.fileSha256));
  });
});

describe("invalid fields", () => {
  it.each<[Fields, number, string]>([
    [{ media: "hologram" }, 400, "media must be one of the following values: image, video, animation"],
    [{ viewOnce: true }, 400, "viewOnce belongs to an image, a video or a voice message"],
    [{ media: "location", size: 5 }, 400, "size belongs to a file"],
    [{ media: "image", size: 5 }, 400, "size belongs to a document, a video or an audio file"],
    [{ media: "poll", options: ["only"] }, 400, "options must be 2 to 12 texts"],
    [{ replyTo: "3A00" }, 404, "replyTo not found"],
    [{ mentions: ["nobody"] }, 404, "mentions not found"],
  ])("are refused: %j", async (fields, status, message) => {
    expect(await people("send", fields)).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  });
});

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

async function decrypted(stored: Buffer, mediaKey: Uint8Array, type: MediaType): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type);
  const [file, mac] = [stored.subarray(0, -10), stored.subarray(-10)];
  expect(
    createHmac("sha256", macKey ?? "")
      .update(iv)
      .update(file)
      .digest()
      .subarray(0, 10),
  ).toEqual(mac);
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  return Buffer.concat([decipher.update(file), decipher.final()]);
}

async function download({ url }: { readonly url: string }): Promise<Buffer> {
  const agent = new Agent({ ca: await readFile(sandbox.whatsapp.mediaCaPath, "utf8") });
  return await new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve(Buffer.concat(parts)));
    });
    asked.on("error", reject).end();
  });
}
