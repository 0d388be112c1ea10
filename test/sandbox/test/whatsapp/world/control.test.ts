import { setTimeout as sleep } from "node:timers/promises";
import qrcode from "qrcode";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Client, clientState, until } from "../../../clients/baileys-client.js";
import { sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
beforeAll(async () => void (sandbox = await WhatsAppSandbox.start()));
afterEach(async () => void (await sandbox.control("DELETE", "/faults?platform=whatsapp")));
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

const fault = async (body: Record<string, unknown>): Promise<number> => (await sandbox.control("POST", "/faults", body)).status;
const jid = "4479000000777@s.whatsapp.net";

describe("accounts", () => {
  it("are there from the start, and can be made", async () => {
    const docs = await sandbox.docs("/accounts");
    expect(docs).toHaveLength(14);
    expect(docs[0]).toMatchObject({
      platform: "whatsapp",
      account: "alice",
      phone: "6281155501001",
      password: "",
      name: "Alice Liddell 🌸",
    });
    const made = await sandbox.control("POST", "/accounts", {
      account: "zoe",
      name: "Zoë",
      phone: "+62 822 0000 1",
      contacts: 3,
      groups: 2,
      channels: 1,
      members: 5,
    });
    expect(made).toMatchObject({ status: 200, body: { account: "zoe", phone: "6282200001", name: "Zoë" } });
    expect(await sandbox.control("POST", "/accounts", { account: "zoe" })).toMatchObject({ status: 409 });
    expect(await sandbox.control("POST", "/accounts", { account: "zed", phone: "99912345678" })).toMatchObject({ status: 400 });
    const zoe = await sandbox.linked("zoe");
    expect(Object.values(await zoe.socket.groupFetchAllParticipating()).map(({ participants }) => participants.length)).toEqual([6, 7]);
  });
});

describe("linking", () => {
  it("takes no code that is not one, nor an expired one", async () => {
    const scan = async (text: string): Promise<number> =>
      (await sandbox.control("POST", "/phone/scan", { account: "bob", qrcode: (await qrcode.toBuffer(text)).toString("base64") })).status;
    expect(await scan("hello")).toBe(400);
    expect(await scan("https://wa.me/settings/linked_devices#2@x,AAAA,AAAA,AAAA,1")).toBe(410);
    expect(
      await sandbox.control("POST", "/phone/scan", { account: "nobody", qrcode: (await qrcode.toBuffer("x")).toString("base64") }),
    ).toMatchObject({ status: 404 });
  });

  it("waits for the passkey that a client is asked for, and hangs with one that takes no notice", async () => {
    const { client, status, body } = await sandbox.scanned("passkey");
    expect(status).toBe(200);
    expect(body).toMatchObject({ waiting: "passkey" });
    // Half a second without an event is enough proof that nothing happens.
    expect(await Promise.race([client.closed, sleep(500)])).toBeUndefined();
  });

  it("works with a typed code", async () => {
    const client = await sandbox.client();
    await until(() => client.codes[0]);
    const code = await client.socket.requestPairingCode("6281155501004");
    await until(() => sandbox.whatsapp.server.awaitsPairingCode("6281155501004"));
    expect(await sandbox.control("POST", "/phone/code", { account: "dave", code })).toMatchObject({
      status: 200,
      body: { device: "6281155501004:1@s.whatsapp.net" },
    });
    expect(await client.closed).toBe(515);
    expect(await sandbox.control("POST", "/phone/code", { account: "erin", code })).toMatchObject({ status: 410 });
  });

  it("ends when the phone unlinks", async () => {
    const erin = await sandbox.linked("erin");
    expect(await sandbox.docs("/connections")).toContainEqual(
      expect.objectContaining({ account: "erin", key: "6281155501005:1@s.whatsapp.net" }),
    );
    expect((await sandbox.control("POST", "/phone/unlink", { account: "erin" })).status).toBe(200);
    expect(await erin.closed).toBe(401);
    expect((await sandbox.control("POST", "/phone/unlink", { account: "erin" })).status).toBe(404);
  });
});

describe("other people", () => {
  it("write, edit, delete, read, and change pictures", async () => {
    const heidi = await sandbox.linked("heidi");
    const texts = (): unknown[] => heidi.received.map(({ message }) => message?.extendedTextMessage?.text);
    const { body } = await sandbox.control("POST", "/people/send", { account: "heidi", chat: "bob", text: "hi" });
    await until(() => texts().includes("hi"));
    await sandbox.control("POST", "/people/send", { account: "heidi", chat: sharedGroups.family, from: "bob", text: "in the group" });
    await until(() => texts().includes("in the group"));
    const named = { account: "heidi", chat: "bob", messageId: body["messageId"] };
    expect((await sandbox.control("POST", "/people/edit", { ...named, text: "hi!" })).status).toBe(200);
    expect((await sandbox.control("POST", "/people/delete", named)).status).toBe(200);
    expect((await sandbox.control("POST", "/people/read", named)).status).toBe(200);
    expect((await sandbox.control("POST", "/people/photo", { account: "heidi", chat: sharedGroups.hidden })).status).toBe(200);
    expect(await heidi.socket.profilePictureUrl(sharedGroups.hidden)).toContain("/1/preview.jpg");
  });
});

describe("counters and overlaps", () => {
  it("tell what was asked, and who was there twice", async () => {
    const ivan = await sandbox.linked("ivan");
    await sandbox.control("DELETE", "/calls");
    await ivan.socket.groupFetchAllParticipating();
    expect((await sandbox.control("GET", "/calls")).body).toMatchObject({ whatsapp: { "iq w:g2 participating": 1 } });
    expect(await sandbox.docs("/overlaps")).toEqual([]);
    const twin = await sandbox.client(ivan.state);
    expect(await twin.opened).toBe("open");
    expect(await ivan.closed).toBe(440);
    await expect.poll(() => sandbox.docs("/overlaps")).toEqual([expect.objectContaining({ account: "ivan" })]);
    twin.end();
    await twin.closed;
  });

  it("take no part in an orderly change", async () => {
    const before = (await sandbox.docs("/overlaps")).length;
    const judy = await sandbox.linked("judy");
    judy.end();
    await judy.closed;
    await sandbox.reconnected(judy);
    expect(await sandbox.docs("/overlaps")).toHaveLength(before);
  });
});

describe("faults", () => {
  let grace: Client;
  const open = async (): Promise<Client> =>
    (grace = grace === undefined ? await sandbox.linked("grace") : await sandbox.reconnected(grace));

  it.each([403, 405, 408, 411, 428, 500, 503, 515, 440])("close with %d", async (code) => {
    const client = await sandbox.reconnected(await open(), { keepAliveIntervalMs: 500 });
    await fault({ account: "grace", kind: "close", error: String(code) });
    expect(await client.closed).toBe(code);
  });

  it("reject, delay or lose messages", async () => {
    const client = await open();
    await fault({ account: "grace", kind: "flood-wait", method: "message" });
    expect((await client.send(jid, { text: "1" })).attrs["error"]).toBe("429");
    await fault({ account: "grace", kind: "error", method: "message", error: "463" });
    expect((await client.send(jid, { text: "2" })).attrs["error"]).toBe("463");
    await fault({ account: "grace", kind: "stall", method: "message", times: 1 });
    await expect(client.socket.waitForMessage(await unanswered(client), 500)).resolves.toBeUndefined();
    await fault({ account: "grace", kind: "lost-ack" });
    const lost = client.send(jid, { text: "kept" });
    await expect(lost).rejects.toThrow();
    expect(await client.closed).toBe(428);
    expect((await sandbox.docs("/received?account=grace")).filter(({ text }) => text === "kept")).toHaveLength(1);
  });

  it("fail queries", async () => {
    const client = await open();
    await fault({ account: "grace", kind: "flood-wait", method: "iq w:g2" });
    await expect(client.socket.groupFetchAllParticipating()).rejects.toMatchObject({ data: 429 });
    await fault({ account: "grace", kind: "error", method: "iq w:profile:picture", error: "401 not-authorized" });
    await expect(client.socket.profilePictureUrl(sharedGroups.family)).rejects.toMatchObject({ data: 401 });
    await fault({ account: "grace", kind: "delay", method: "iq w:g2", seconds: 0.5, times: 1 });
    const startedAt = Date.now();
    await client.socket.groupFetchAllParticipating();
    expect(Date.now() - startedAt).toBeGreaterThan(450);
    await fault({ account: "grace", kind: "gap" });
    await sandbox.control("POST", "/people/send", { account: "grace", chat: "bob", text: "lost" });
    await sandbox.control("POST", "/people/send", { account: "grace", chat: "bob", text: "found" });
    await until(() => client.received.length > 0);
    expect(client.received.map(({ message }) => message?.extendedTextMessage?.text)).toEqual(["found"]);
  });

  it("end uploads and logins", async () => {
    const client = await open();
    const audio = { audio: await sandbox.file("audio.mp3"), mimetype: "audio/mpeg", seconds: 3 };
    await fault({ account: "grace", kind: "error", method: "upload", error: "500" });
    await expect(client.socket.sendMessage(jid, audio)).rejects.toThrow("upload failed");
    await client.send(jid, audio);
    await fault({ account: "grace", kind: "expired-reference" });
    await expect(client.socket.sendMessage(jid, audio)).rejects.toThrow("upload failed");
    await fault({ account: "grace", kind: "drop", seconds: 4 });
    expect(await client.closed).toBe(428);
    expect(await (await sandbox.client(client.state)).opened).toBe(503);
    // The fault lasts four real seconds, and the server sends no notice at its end.
    await sleep(4_100);
    await open();
    await fault({ kind: "refuse" });
    expect(await (await sandbox.client(clientState())).opened).toBe(408);
    await fault({ account: "grace", kind: "replaced" });
    expect(await grace.closed).toBe(440);
    await fault({ account: "grace", kind: "logout" });
    await sandbox.control("DELETE", "/faults?platform=whatsapp");
    expect(await (await sandbox.client(grace.state)).opened).toBe(401);
  });
});

describe("a restart", () => {
  it("finds devices, what was received, and what was changed", async () => {
    const kenji = await sandbox.linked("kenji");
    await sandbox.control("POST", "/phone/settings", {
      account: "kenji",
      contact: "62811999",
      name: "Late Friend",
      statusPrivacy: "whitelist",
      users: ["62811999"],
    });
    const row = await sandbox.sent(kenji, "kenji", jid, { text: "before" });
    const { rootKeyPath } = sandbox.whatsapp;
    kenji.end();
    await sandbox.restart();
    expect(sandbox.whatsapp.rootKeyPath).toBe(rootKeyPath);
    expect(await sandbox.received("kenji", String(row["id"]))).toEqual(row);
    expect((await sandbox.docs("/accounts")).find(({ account }) => account === "kenji")).toMatchObject({ statusPrivacy: "whitelist" });
    expect((await sandbox.docs("/accounts")).some(({ account }) => account === "zoe")).toBe(true);
    const again = await sandbox.reconnected(kenji);
    expect(await sandbox.sent(again, "kenji", jid, { text: "after" })).toMatchObject({ text: "after", kind: "text" });
    expect(await sandbox.sent(again, "kenji", sharedGroups.big.replace("2@", "6@"), { text: "group" })).toMatchObject({
      text: "group",
      kind: "text",
    });
  });
});

/** Sends a message without waiting for its ack, and returns its id. */
async function unanswered(client: Client): Promise<string> {
  const message = await client.socket.sendMessage(jid, { text: "no ack" });
  return message?.key.id ?? "";
}
