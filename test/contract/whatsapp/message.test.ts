import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultThumbnail } from "../../../shard/whatsapp/media/default-thumbnail.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import type { GroupMember } from "../../../shared/contract/whatsapp/group.js";
import { expectJpeg, WhatsAppSide } from "../../harness/whatsapp-side.js";
import type { ReceivedMessage } from "../../sandbox/whatsapp/world/received.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";

/** POST /message: sends every type to every kind of recipient, and reads the messages at the platform after decryption. */
let gateway: TestCluster;
let platform: WhatsAppSide;
let caller: Caller;
/** Recipient fields of a request, and the chat that the platform must see. */
const recipients: Record<string, { fields: object; chat: string; recipient: string }> = {};
const account = "alice";
beforeAll(async () => {
  gateway = await startCluster({ redisFile: true });
  platform = new WhatsAppSide(gateway);
  caller = await loggedIn(gateway, account, "whatsapp");
  const phone = await platform.phoneOf("bob");
  const group = (id: string): object => ({ fields: { group: id }, chat: id, recipient: "group" });
  Object.assign(recipients, {
    phone: { fields: { phone }, chat: `${phone}@s.whatsapp.net`, recipient: "phone" },
    group: group(sharedGroups.family),
    "group of anonymous members": group(sharedGroups.hidden),
    newsletter: { fields: { newsletter: sharedChannels.alice }, chat: sharedChannels.alice, recipient: "newsletter" },
  });
});
afterAll(() => gateway.stop());

async function sent(kind: string, body: object): Promise<ReceivedMessage> {
  const { fields, chat, recipient } = recipients[kind] ?? { fields: {}, chat: "", recipient: "" };
  const row = await platform.sent(caller, account, "/message", { ...fields, ...body });
  expect(row).toMatchObject({ chat, recipient });
  return row;
}

describe("to a user", () => {
  it("by the id of a hidden member, and by a JID with a number", async () => {
    const { docs } = (await caller.get(`/group/member?groupId=${sharedGroups.hidden}`)).body as { docs: GroupMember[] };
    const hidden = docs.find(({ id, phone }) => id.endsWith("@lid") && phone === "")?.id ?? "";
    for (const user of [hidden, `${await platform.phoneOf("bob")}@s.whatsapp.net`]) {
      const row = await platform.sent(caller, account, "/message", { user, type: "text", text: "Hello" });
      expect(row).toMatchObject({ chat: user, kind: "text", text: "Hello" });
      expect(await caller.send("POST", "/typing", { user })).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    }
  });

  it("only without another recipient", async () => {
    const phone = await platform.phoneOf("bob");
    const row = await platform.sent(caller, account, "/message", { phone, user: "nobody", type: "text", text: "Hello" });
    expect(row.chat).toBe(`${phone}@s.whatsapp.net`);
    expect(await caller.send("POST", "/message", { user: "nobody", type: "text", text: "x" })).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: "invalid phone, group or newsletter" },
    });
  });
});

describe.each(["phone", "group", "group of anonymous members", "newsletter"])("to a %s", (kind) => {
  it("text", async () => {
    const text = `Hello ${kind} 👋 नमस्ते https://example.com/`;
    expect(await sent(kind, { type: "text", text })).toMatchObject({ kind: "text", text });
  });

  it("image with a caption, byte for byte, with a thumbnail of its own", async () => {
    const { url, sha256, size } = await platform.file("photo.jpg");
    const row = await sent(kind, { type: "image", text: "cap", image: { url, mimetype: "image/jpeg" } });
    expect(row).toMatchObject({ kind: "image", text: "cap", file: { sha256, size, mimetype: "image/jpeg", width: 1600, height: 1200 } });
    expectJpeg(row.file?.thumbnail);
  });

  it("video with its duration and first frame", async () => {
    const { url, sha256, size } = await platform.file("video.mp4");
    const row = await sent(kind, { type: "video", text: "", video: { url, mimetype: "video/mp4", duration: 3 } });
    expect(row).toMatchObject({ kind: "video", text: "", file: { sha256, size, mimetype: "video/mp4", duration: 3 } });
    expectJpeg(row.file?.thumbnail);
  });

  it("audio as a regular file, never a voice note", async () => {
    const { url, sha256, size } = await platform.file("audio.mp3");
    expect(await sent(kind, { type: "audio", audio: { url, mimetype: "audio/mpeg", duration: 3, ptt: true } })).toMatchObject({
      kind: "audio",
      file: { sha256, size, mimetype: "audio/mpeg", duration: 3, voice: false },
    });
  });

  it("document with its name", async () => {
    const { url, sha256, size } = await platform.file("document.pdf");
    const row = await sent(kind, {
      type: "document",
      text: "read this",
      document: { url, name: "Überblick.pdf", size, mimetype: "application/pdf" },
    });
    expect(row).toMatchObject({
      kind: "document",
      text: "read this",
      file: { sha256, size, mimetype: "application/pdf", fileName: "Überblick.pdf" },
    });
  });

  it("location", async () => {
    const row = await sent(kind, {
      type: "location",
      location: { latitude: -6.1754, longitude: 106.8272, name: "Monas", address: "Jakarta" },
    });
    expect(row).toMatchObject({
      kind: "location",
      location: { latitude: -6.1754, longitude: 106.8272, name: "Monas", address: "Jakarta" },
    });
  });

  it("contact as a card with the number in both forms", async () => {
    const row = await sent(kind, { type: "contact", contact: { name: "Ada, Lovelace; Countess", phone: "+49 151 1234-5678" } });
    expect(row).toMatchObject({ kind: "contact", contact: { name: "Ada, Lovelace; Countess", phone: "4915112345678" } });
    expect(row.contact?.vcard).toContain("waid=4915112345678:+4915112345678");
    expect(row.contact?.vcard).toContain("FN:Ada\\, Lovelace\\; Countess");
  });
});

describe("what the caller writes goes to the platform as it is", () => {
  it.each([
    ["a text of every script", "  Grüße\n\n\t👩‍👩‍👧‍👦 नमस्ते שלום مرحبا 你好 \u200f\u2066x\u2069 *bold* <b>&amp; \u0000 end  "],
    ["a text of 60,000 bytes", "😀".repeat(15_000)],
  ])("%s", async (_, text) => {
    for (const kind of ["phone", "newsletter"]) expect((await sent(kind, { type: "text", text })).text).toBe(text);
  });

  it("but for half a character, which no client of the platform could read", async () => {
    for (const kind of ["phone", "newsletter"])
      expect((await sent(kind, { type: "text", text: "cut 👋".slice(0, -1) })).text).toBe("cut \ufffd");
  });

  it.each<[string, string, string, string, object]>([
    ["image", "photo.png", "image/png", "image/png", {}],
    ["image", "photo.webp", "image/webp", "image/webp", {}],
    ["video", "video.mp4", "video/mp4; codecs=avc1", "video/mp4; codecs=avc1", { duration: 41 }],
    ["audio", "audio.mp3", "audio/mpeg", "audio/mpeg", { duration: 7 }],
    // Only a wrong subtype is corrected.
    ["audio", "audio.mp3", "audio/ogg; codecs=opus", "audio/mpeg", { duration: 1.2 }],
    ["document", "photo.jpg", "application/x-trunkline", "application/x-trunkline", { name: "../a b;ü.bin", size: 1 }],
  ])("%s %s as %s: %s", async (type, name, given, mimetype, fields: { duration?: number; name?: string }) => {
    const { url, sha256, size } = await platform.file(name);
    for (const kind of ["phone", "newsletter"]) {
      const { file } = await sent(kind, { type, [type]: { url, mimetype: given, ...fields } });
      // The duration is the caller's, in whole seconds. The size is the file's, whatever the caller sent.
      expect(file).toMatchObject({
        sha256,
        size,
        mimetype,
        ...(fields.duration !== undefined && { duration: Math.ceil(fields.duration) }),
        ...(fields.name !== undefined && { fileName: fields.name }),
      });
      if (type === "audio") expect(file?.voice).toBe(false);
    }
  });

  it("a place without name and address, at the edge of the globe", async () => {
    for (const kind of ["phone", "newsletter"]) {
      const { location } = await sent(kind, { type: "location", location: { latitude: -90, longitude: 180, name: "", address: "" } });
      expect(location).toEqual({ latitude: -90, longitude: 180, name: "", address: "" });
    }
  });

  it("objects of other types are ignored", async () => {
    expect(await sent("phone", { type: "text", text: "just text", image: { url: 1 }, location: "x" })).toMatchObject({
      kind: "text",
      text: "just text",
    });
  });
});

describe("an unregistered number", () => {
  it("is the platform's to judge: its server accepts the message", async () => {
    const row = await platform.sent(caller, account, "/message", { phone: "+999 1234-5678", type: "text", text: "anybody there?" });
    expect(row).toMatchObject({ chat: "99912345678@s.whatsapp.net" });
    expect(row.audience).not.toContain("99912345678");
  });

  it("is the platform's to judge: its refusal is passed on", async () => {
    await platform.fault({ account, method: "iq usync", kind: "error", error: "404 item-not-found", times: 1 });
    const answer = await caller.send("POST", "/message", { phone: "99912345679", type: "text", text: "x" });
    expect(answer).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: "404: item-not-found (the platform does not know this chat or person)" },
    });
    await platform.clearFaults();
  });
});

describe("thumbnails", () => {
  it.each(["phone", "newsletter"])("of an image to a %s are made of the picture that the caller names", async (kind) => {
    const { url } = await platform.file("photo.jpg");
    const own = await sent(kind, { type: "image", image: { url, mimetype: "image/jpeg" } });
    const given = await sent(kind, { type: "image", image: { url, mimetype: "image/jpeg", thumbnail: platform.fileUrl("photo.webp") } });
    expectJpeg(given.file?.thumbnail);
    expect(given.file?.thumbnail?.sha256).not.toBe(own.file?.thumbnail?.sha256);
  });

  it.each(["phone", "newsletter"])("of an empty name to a %s are made of the picture itself", async (kind) => {
    const { url } = await platform.file("photo.jpg");
    const own = await sent(kind, { type: "image", image: { url, mimetype: "image/jpeg" } });
    const empty = await sent(kind, { type: "image", image: { url, mimetype: "image/jpeg", thumbnail: "" } });
    expect(empty.file?.thumbnail?.sha256).toBe(own.file?.thumbnail?.sha256);
  });

  it("that are gone: 500", async () => {
    const image = { url: platform.fileUrl("photo.jpg"), mimetype: "image/jpeg", thumbnail: platform.fileUrl("gone.jpg") };
    expect(await caller.send("POST", "/message", { ...recipients["phone"]?.fields, type: "image", image })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: "error parser file from url 404 Not Found" },
    });
  });

  it("are made of the picture that the caller names", async () => {
    const { url } = await platform.file("video.mp4");
    const row = await sent("phone", {
      type: "video",
      video: { url, mimetype: "video/mp4", duration: 3, thumbnail: platform.fileUrl("photo.png") },
    });
    const { width = 0, height = 0 } = row.file?.thumbnail ?? {};
    // The picture is 4:3, and the video is upright.
    expect(width).toBeGreaterThan(height);
  });

  it.each<[string, string, string, object]>([
    ["phone", "video", "endless.mp4", { mimetype: "video/mp4", duration: 3 }],
    ["newsletter", "video", "endless.mp4", { mimetype: "video/mp4", duration: 3 }],
  ])("to a %s are the default one for an %s of %s, which cannot be decoded", async (kind, type, name, fields) => {
    const { url, sha256 } = await platform.file(name);
    const row = await sent(kind, { type, [type]: { url, ...fields } });
    expect(row).toMatchObject({
      file: {
        sha256,
        thumbnail: { mimetype: "image/jpeg", width: 72, height: 72, sha256: createHash("sha256").update(defaultThumbnail).digest("hex") },
      },
    });
  });
});

describe("a file that is no such file", () => {
  it.each([
    ["phone", "image", "page.jpg"],
    ["group", "image", "drawing.svg"],
    ["newsletter", "image", "document.pdf"],
    ["phone", "video", "document.pdf"],
    ["newsletter", "video", "broken.jpg"],
    ["phone", "video", "page.jpg"],
    ["phone", "audio", "page.jpg"],
    ["newsletter", "audio", "document.pdf"],
  ])("to a %s as %s, %s: 500, and nothing is sent", async (kind, type, name) => {
    const before = (await platform.received("alice", "message")).length;
    const media = {
      url: platform.fileUrl(name),
      mimetype: { image: "image/jpeg", video: "video/mp4", audio: "audio/mpeg" }[type],
      ...(type === "image" ? {} : { duration: 3 }),
    };
    const found = {
      "page.jpg": "text/html",
      "drawing.svg": "image/svg+xml",
      "document.pdf": "application/pdf",
      "broken.jpg": "image/jpeg",
    }[name];
    const message = `error parser file from url unsupported ${type} format, found ${found}`;
    expect(await caller.send("POST", "/message", { ...recipients[kind]?.fields, type, [type]: media })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message },
    });
    expect(await platform.received("alice", "message")).toHaveLength(before);
  });
});

describe("types of files", () => {
  const media = (type: string, name: string, mimetype: string): object => ({
    type,
    [type]: { url: platform.fileUrl(name), mimetype, duration: 3, name: "invoice.pdf", size: 1 },
  });

  it.each([
    ["image", "photo.jpg", "image/jpg", "image/jpeg"],
    ["image", "photo.png", "image/jpeg", "image/png"],
    ["audio", "audio.mp3", "audio/mp4", "audio/mpeg"],
    ["document", "document.pdf", "application/octet-stream", "application/pdf"],
  ])("%s %s as %s goes out as %s", async (type, name, given, mimetype) => {
    const { sha256 } = await platform.file(name);
    expect(await sent("phone", media(type, name, given))).toMatchObject({ file: { sha256, mimetype } });
  });

  it.each([
    ["phone", "broken.jpg", "image/jpeg", "image is damaged"],
    ["group", "broken.jpg", "image/png", "image is damaged"],
    ["newsletter", "broken.jpg", "image/jpeg", "image is damaged"],
    ["group", "bomb.png", "image/png", "image is too large"],
  ])("to a %s, a picture %s as %s that cannot be displayed: 500, and nothing is sent", async (kind, name, mimetype, why) => {
    const before = (await platform.received("alice", "message")).length;
    const image = { url: platform.fileUrl(name), mimetype, thumbnail: platform.fileUrl("photo.jpg") };
    expect(await caller.send("POST", "/message", { ...recipients[kind]?.fields, type: "image", image })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: `error parser file from url ${why}` },
    });
    expect(await platform.received("alice", "message")).toHaveLength(before);
  });

  it.each(["photo.gif", "photo.tiff"])("a picture %s goes out as a JPEG, with its size", async (name) => {
    const row = await sent("phone", media("image", name, "image/jpeg"));
    expect(row).toMatchObject({ file: { mimetype: "image/jpeg", width: 400, height: 300 } });
    expectJpeg(row.file?.thumbnail);
    expect(row.file?.problems ?? []).toEqual([]);
  });

  it.each([
    ["image", "photo.jpg", "application/octet-stream", "mimetype application/octet-stream does not fit the file, found image/jpeg"],
    ["image", "photo.jpg", "image/jp\r\neg", "mimetype is malformed, found image/jpeg"],
    ["image", "phone.heic", "image/heic", "unsupported image format, found image/heic"],
    ["audio", "error.txt", "audio/mpeg", "unsupported audio format, found text/plain"],
    ["document", "page.jpg", "application/pdf", "the document is no application/pdf, found text/html"],
    ["document", "error.json", "application/pdf", "the document is no application/pdf, found application/json"],
    ["document", "error.xml", "application/pdf", "the document is no application/pdf, found text/xml"],
  ])("%s %s as %j: 500, and nothing is sent", async (type, name, given, why) => {
    const before = (await platform.received("alice", "message")).length;
    expect(await caller.send("POST", "/message", { ...recipients["phone"]?.fields, ...media(type, name, given) })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: `error parser file from url ${why}` },
    });
    expect(await platform.received("alice", "message")).toHaveLength(before);
  });
});

describe("recipients", () => {
  it("group wins over newsletter, that over phone", async () => {
    const all = { ...recipients["phone"]?.fields, ...recipients["newsletter"]?.fields };
    expect(await sent("group", { ...all, type: "text", text: "1" })).toMatchObject({ text: "1" });
    expect(await sent("newsletter", { ...recipients["phone"]?.fields, type: "text", text: "2" })).toMatchObject({ text: "2" });
  });

  it.each(["+%s", "00%s", "+%s ", "(+%s)", "\u00a0+[%s]"])("a number written as %s", async (form) => {
    const digits = await platform.phoneOf("bob");
    expect(
      await sent("phone", {
        phone: form.replace("%s", `${digits.slice(0, 2)} ${digits.slice(2, 5)}-${digits.slice(5)}`),
        type: "text",
        text: "hi",
      }),
    ).toMatchObject({ text: "hi" });
  });
});

describe("errors", () => {
  it.each<[string, string, unknown]>([
    ["a file that is gone", "SANDBOX/files/gone.jpg", "error parser file from url 404 Not Found"],
    ["a private address", "http://127.0.0.1:1/x.jpg", "error parser file from url blocked address: it is not public"],
    ["no web address", "file:///etc/passwd", "error parser file from url invalid url: its scheme is neither http nor https"],
    ["a host that is not there", "http://no-such-host.invalid/x.jpg", expect.stringMatching(/^error parser file from url dns: ./)],
  ])("%s: 500", async (_, url, message) => {
    const image = { url: url.replace("SANDBOX", gateway.sandbox), mimetype: "image/jpeg" };
    expect(await caller.send("POST", "/message", { ...recipients["phone"]?.fields, type: "image", image })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message },
    });
  });

  it.each([
    [
      "phone",
      "refused by the platform",
      "error",
      "463",
      "463: the account is restricted: it may not start a chat with somebody who has not written to it",
    ],
    ["group", "refused by the platform", "error", "479", "479: the platform found it malformed, or addressed to devices that have changed"],
    ["newsletter", "refused by the platform", "error", "400", "400: the platform did not understand it"],
    ["phone", "held up by the platform", "flood-wait", undefined, "429: too many requests of this account: wait before the next one"],
  ])("a message to a %s that is %s: 500 with its code and what it means", async (kind, _, fault, error, message) => {
    await platform.fault({ account, method: "message", kind: fault, error, times: 1 });
    const answer = await caller.send("POST", "/message", { ...recipients[kind]?.fields, type: "text", text: "refused" });
    expect(answer).toMatchObject({ status: 500, body: { statusCode: 500, message } });
    expect((await platform.received(account, "message")).filter(({ text }) => text === "refused")).toEqual([]);
    await platform.clearFaults();
  });

  it.each(["phone", "newsletter"])("a file for a %s that the platform's file server does not take: 500, and no message", async (kind) => {
    await platform.fault({ account, method: "upload", kind: "error", error: "500", times: 20 });
    const image = { url: platform.fileUrl("photo.jpg"), mimetype: "image/jpeg" };
    const answer = await caller.send("POST", "/message", { ...recipients[kind]?.fields, type: "image", text: "not taken", image });
    expect(answer).toMatchObject({ status: 500, body: { statusCode: 500, message: "Media upload failed on all hosts" } });
    expect((await platform.received(account, "message")).filter(({ text }) => text === "not taken")).toEqual([]);
    await platform.clearFaults();
  });

  it("responds only after the platform's server has", async () => {
    await platform.fault({ account, method: "message", kind: "delay", seconds: 600, times: 1 });
    const before = await platform.calls("message");
    let answered = false;
    const sending = caller
      .send("POST", "/message", { ...recipients["phone"]?.fields, type: "text", text: "wait for it" })
      .finally(() => (answered = true));
    await eventually("it is on its way", async () => (await platform.calls("message")) > before);
    // A later request gets its response first.
    expect((await caller.get("/session")).status).toBe(200);
    expect(answered).toBe(false);
    await platform.clearFaults();
    expect(await sending).toMatchObject({ status: 200 });
    expect((await platform.received(account, "message")).filter(({ text }) => text === "wait for it")).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["a group that only its administrators write in", { group: sharedGroups.announcements }],
    ["a group that the account is not in", { group: sharedGroups.foreign }],
    ["a channel of somebody else", { newsletter: sharedChannels.daily }],
  ])("%s: 500, the platform's answer", async (_, fields) => {
    expect(await caller.send("POST", "/message", { ...fields, type: "text", text: "x" })).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: expect.stringMatching(/\S/) as string },
    });
  });

  it("an acknowledgement that got lost: the same message goes out again under its id, and is there once", async () => {
    await platform.fault({ account, method: "message", kind: "lost-ack", times: 1 });
    expect(await sent("phone", { type: "text", text: "once" })).toMatchObject({ text: "once" });
    expect((await platform.received(account, "message")).filter(({ text }) => text === "once")).toHaveLength(1);
  });
});

it("texts, captions, file names and links stand nowhere in the store as they were written", async () => {
  const [text, caption, name, query] = ["a-secret-text", "a-secret-caption", "a-secret-name", "query=secret"] as const;
  const phone = await platform.phoneOf("bob");
  await platform.sent(caller, account, "/message", { phone, type: "text", text });
  const { url, size } = await platform.file("document.pdf");
  await platform.sent(caller, account, "/message", {
    phone,
    type: "document",
    text: caption,
    document: { url: `${url}?${query}`, name, size, mimetype: "application/pdf" },
  });
  const folder = join(gateway.redis.folder, "appendonlydir");
  const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file))));
  // The append-only file was read if it names the session.
  expect(files.some((bytes) => bytes.includes(caller.credentials.id))).toBe(true);
  expect([text, caption, name, query].filter((mark) => files.some((bytes) => bytes.includes(mark)))).toEqual([]);
});
