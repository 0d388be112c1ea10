import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { generateMessageIDV2, proto } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { contactPerson, memberPerson } from "../../../whatsapp/world/person.js";
import { sharedChannels, sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
let alice: Client;
let photo: Buffer;
const friend = contactPerson(0, 0);
const jid = `${friend.phone}@s.whatsapp.net`;
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const vcard = "BEGIN:VCARD\nVERSION:3.0\nFN:Zed\nTEL;type=CELL;type=VOICE;waid=62812:+62812\nEND:VCARD";

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  alice = await sandbox.linked("alice");
  photo = await sandbox.file("photo.jpg");
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

describe.each([
  ["a phone", jid, "phone"],
  ["a group", sharedGroups.family, "group"],
])("a message to %s", (_, to, recipient) => {
  it("is read as text", async () => {
    const row = await sandbox.sent(alice, "alice", to, { text: "Hello 👋", linkPreview: null });
    expect(row).toMatchObject({ type: "message", chat: to, recipient, kind: "text", text: "Hello 👋", account: "alice" });
    expect(row["failures"]).toBeUndefined();
    expect(row["audience"]).toContain(recipient === "phone" ? friend.phone : "6281155501002");
  });

  it("brings its file, byte for byte", async () => {
    const thumb = await sandbox
      .file("photo.jpg")
      .then(async (bytes) => (await import("sharp")).default(bytes).resize(32).jpeg().toBuffer());
    const image = await sandbox.sent(alice, "alice", to, {
      image: photo,
      mimetype: "image/jpeg",
      caption: "cap",
      jpegThumbnail: thumb.toString("base64"),
      width: 1600,
      height: 1200,
    });
    expect(image).toMatchObject({
      kind: "image",
      text: "cap",
      file: {
        sha256: sha256(photo),
        size: photo.length,
        mimetype: "image/jpeg",
        width: 1600,
        height: 1200,
        stated: { width: 1600, height: 1200 },
        thumbnail: { width: 32, height: 24 },
      },
    });
    expect(Object(image["file"])["problems"]).toBeUndefined();
    const video = await sandbox.file("video.mp4");
    expect(
      await sandbox.sent(alice, "alice", to, { video, mimetype: "video/mp4", caption: "v", seconds: 3, jpegThumbnail: "" }),
    ).toMatchObject({ kind: "video", text: "v", file: { sha256: sha256(video), duration: 3 } });
    const audio = await sandbox.file("audio.mp3");
    expect(await sandbox.sent(alice, "alice", to, { audio, mimetype: "audio/mpeg", seconds: 7, ptt: false })).toMatchObject({
      kind: "audio",
      file: { sha256: sha256(audio), duration: 7, voice: false },
    });
    const document = await sandbox.file("document.pdf");
    expect(
      await sandbox.sent(alice, "alice", to, { document, mimetype: "application/pdf", fileName: "a b.pdf", caption: "d" }),
    ).toMatchObject({ kind: "document", text: "d", file: { sha256: sha256(document), fileName: "a b.pdf", mimetype: "application/pdf" } });
  });

  it("can be a place or a contact", async () => {
    expect(
      await sandbox.sent(alice, "alice", to, {
        location: { degreesLatitude: -6.1, degreesLongitude: 106.8, name: "Monas", address: "Jakarta" },
      }),
    ).toMatchObject({ kind: "location", location: { latitude: -6.1, longitude: 106.8, name: "Monas", address: "Jakarta" } });
    expect(
      await sandbox.sent(alice, "alice", to, { contacts: { displayName: "Zed", contacts: [{ displayName: "Zed", vcard }] } }),
    ).toMatchObject({ kind: "contact", contact: { name: "Zed", phone: "62812", vcard } });
  });
});

describe("a message", () => {
  it("to a group of 500 reaches all of them", async () => {
    const row = await sandbox.sent(alice, "alice", sharedGroups.big, { text: "all" });
    expect(row["audience"]).toHaveLength(500);
    expect(row["audience"]).toContain(memberPerson(0).phone);
  });

  it("to a group of 500 is acked before they have read it, and who asks for what they received waits for them", async () => {
    const seen = (): number => sandbox.whatsapp.world.received.list("bob").filter(({ type }) => type === "message").length;
    const bob = await sandbox.linked("bob");
    const before = seen();
    const ack = await bob.send(sharedGroups.big, { text: "all" });
    expect(seen()).toBe(before);
    expect(await sandbox.received("bob", ack.attrs["id"] ?? "")).toMatchObject({ text: "all" });
  });

  it("that comes twice is one message", async () => {
    const messageId = generateMessageIDV2(alice.state.creds.me?.id);
    for (let n = 0; n < 2; n++) {
      const ack: Promise<unknown> = alice.socket.waitForMessage(messageId, 5_000);
      await alice.socket.sendMessage(jid, { text: "twice" }, { messageId });
      await ack;
    }
    expect((await sandbox.docs("/received?account=alice")).filter(({ id }) => id === messageId)).toHaveLength(1);
  });

  it("to a group that is unknown, foreign or read-only is rejected", async () => {
    expect((await alice.send(sharedGroups.announcements, { text: "x" })).attrs["error"]).toBe("403");
    await expect(alice.send(sharedGroups.foreign, { text: "x" })).rejects.toMatchObject({ data: 403 });
  });

  it("to a number that nobody has is acked, and only the own phone reads it", async () => {
    const row = await sandbox.sent(alice, "alice", "99912345678@s.whatsapp.net", { text: "anybody?" });
    expect(row).toMatchObject({ chat: "99912345678@s.whatsapp.net", text: "anybody?", audience: [] });
  });

  it("to another linked account arrives there", async () => {
    const bob = await sandbox.linked("bob");
    const carol = await sandbox.linked("carol");
    await sandbox.sent(carol, "carol", "6281155501002@s.whatsapp.net", { text: "hi bob" });
    await until(() => bob.received.some(({ message }) => message?.extendedTextMessage?.text === "hi bob"));
  });
});

describe("a channel's post", () => {
  it("is read in the clear, and joins the history", async () => {
    const row = await sandbox.sent(alice, "alice", sharedChannels.alice, { text: "news" });
    expect(row).toMatchObject({ recipient: "newsletter", kind: "text", text: "news", serverId: 112, audience: [] });
  });

  it("needs the right to write", async () => {
    expect((await alice.send(sharedChannels.daily, { text: "x" })).attrs["error"]).toBe("403");
    expect((await alice.send("120363999999999999@newsletter", { text: "x" })).attrs["error"]).toBe("404");
  });

  it("brings a file by the recipe of channels, and by no other", async () => {
    expect((await alice.send(sharedChannels.alice, { image: photo, mimetype: "image/jpeg", jpegThumbnail: "" })).attrs["error"]).toBe(
      "479",
    );
    const { hosts, auth } = await alice.socket.refreshMediaConn();
    const hash = createHash("sha256").update(photo).digest();
    const token = hash.toString("base64url");
    const answer = await upload(
      `https://${hosts[0]?.hostname}/newsletter/newsletter-image/${token}?auth=${encodeURIComponent(auth)}&token=${token}&server_thumb_gen=1`,
      photo,
    );
    const imageMessage = {
      directPath: String(answer["direct_path"]),
      fileSha256: hash,
      fileLength: photo.length,
      mimetype: "image/jpeg",
      caption: "cap",
    };
    const id = generateMessageIDV2();
    const ack = alice.socket.waitForMessage(id, 5_000);
    const bytes = proto.Message.encode({ imageMessage }).finish();
    await alice.socket.sendNode({
      tag: "message",
      attrs: { to: sharedChannels.alice, id, type: "media", media_id: String(answer["handle"]) },
      content: [{ tag: "plaintext", attrs: { mediatype: "image" }, content: bytes }],
    });
    await ack;
    expect(await sandbox.received("alice", id)).toMatchObject({ kind: "image", text: "cap", file: { sha256: sha256(photo), width: 1600 } });
    expect(answer["thumbnail_info"]).toMatchObject({ thumbnail_direct_path: expect.stringContaining("/media/") });
  });
});

describe("a status", () => {
  it("is seen by its audience", async () => {
    const audience = [0, 1, 2].map((n) => contactPerson(0, n).phone);
    const statusJidList = [...audience, "6281155501001"].map((phone) => `${phone}@s.whatsapp.net`);
    const ack = await alice.send("status@broadcast", { text: "my status" }, {
      statusJidList,
      backgroundColor: "#075E54",
      font: 1,
    } as never);
    const row = await sandbox.received("alice", ack.attrs["id"] ?? "");
    expect(row).toMatchObject({ type: "status", recipient: "status", kind: "text", text: "my status", background: "#075E54" });
    expect(Array.isArray(row["audience"]) ? [...row["audience"]].sort() : []).toEqual([...audience, "6281155501001"].sort());
  });
});

describe("typing", () => {
  it("is noted with what is done", async () => {
    await alice.socket.sendPresenceUpdate("composing", jid);
    await alice.socket.sendPresenceUpdate("recording", sharedGroups.family);
    await alice.socket.sendPresenceUpdate("paused", sharedGroups.family);
    const typing = async (): Promise<unknown> =>
      (await sandbox.docs("/received?account=alice")).filter(({ type }) => type === "typing").map(({ chat, action }) => [chat, action]);
    await expect.poll(typing).toEqual([
      [jid, "text"],
      [sharedGroups.family, "audio"],
      [sharedGroups.family, "cancel"],
    ]);
  });
});

async function upload(url: string, body: Buffer): Promise<Record<string, unknown>> {
  const agent = new Agent({ ca: await readFile(sandbox.whatsapp.mediaCaPath, "utf8") });
  return await new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", agent, headers: { "content-length": body.length } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve(Object(JSON.parse(text))));
    });
    call.on("error", reject).end(body);
  });
}
