import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import type { BinaryNode, WAMessageUpdate, WAPresence } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { sharedChannels, sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

const bobJid = "6281155501002@s.whatsapp.net";
const carolJid = "6281155501003@s.whatsapp.net";

let sandbox: WhatsAppSandbox;
let alice: Client;
let bob: Client;
let carol: Client;

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  [alice, bob, carol] = [await sandbox.linked("alice"), await sandbox.linked("bob"), await sandbox.linked("carol")];
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

const texts = (client: Client): unknown[] =>
  client.received.flatMap(({ message }) => message?.extendedTextMessage?.text ?? message?.conversation ?? []);
const connections = async (account: string): Promise<number> =>
  (await sandbox.docs("/connections")).filter((doc) => doc["account"] === account).length;

describe("what an account writes", () => {
  it("reaches all linked devices of a group, with and without a new sender key", async () => {
    for (const text of ["first", "second"]) await sandbox.sent(carol, "carol", sharedGroups.family, { text });
    await until(() => [alice, bob].every((client) => ["first", "second"].every((text) => texts(client).includes(text))));
  });

  it("waits for a device that is away", async () => {
    bob.end();
    await expect.poll(() => connections("bob")).toBe(0);
    await sandbox.sent(carol, "carol", bobJid, { text: "while you were away" });
    await sandbox.sent(carol, "carol", sharedGroups.family, { text: "all of you" });
    await sandbox.sent(alice, "alice", sharedChannels.alice, { text: "to all followers" });
    bob = await sandbox.reconnected(bob);
    await until(() => ["while you were away", "all of you", "to all followers"].every((text) => texts(bob).includes(text)));
    expect(texts(bob).filter((text) => text === "while you were away")).toHaveLength(1);
  });
});

describe("the sender", () => {
  it("is told that a message arrived and that it was read", async () => {
    const updates: WAMessageUpdate[] = [];
    carol.socket.ev.on("messages.update", (some) => void updates.push(...some));
    const { id } = await sandbox.sent(carol, "carol", bobJid, { text: "did you get this?" });
    const message = await until(() => bob.received.find(({ key }) => key.id === id));
    const status = (): unknown[] => updates.filter(({ key }) => key.id === id).map(({ update }) => update.status);
    await bob.socket.sendReceipt(carolJid, undefined, [String(id)], undefined);
    await until(() => status().includes(3));
    await bob.socket.readMessages([message.key]);
    await until(() => status().includes(4));
  });
});

describe("typing", () => {
  it.each([
    ["a chat", carolJid, bobJid],
    ["a group", sharedGroups.family, sharedGroups.family],
  ])("in %s is seen by the other side", async (_, chat, seenIn) => {
    const seen: WAPresence[] = [];
    carol.socket.ev.on("presence.update", ({ id, presences }) => {
      if (id === seenIn) seen.push(...Object.values(presences).map(({ lastKnownPresence }) => lastKnownPresence));
    });
    await bob.socket.sendPresenceUpdate("composing", chat);
    await until(() => seen.includes("composing"));
    await bob.socket.sendPresenceUpdate("paused", chat);
    await until(() => seen.includes("available"));
  });
});

describe("that an account is there", () => {
  const seenBy = (client: Client): unknown[] => {
    const seen: unknown[] = [];
    client.socket.ev.on("presence.update", ({ id, presences }) => {
      if (id === bobJid) seen.push(...Object.values(presences).map(({ lastKnownPresence }) => lastKnownPresence));
    });
    return seen;
  };

  it("is told to those who ask: at once, at each change, and when its connection ends", async () => {
    const [seen, nobodyAsked] = [seenBy(carol), seenBy(alice)];
    await bob.socket.sendPresenceUpdate("unavailable");
    await carol.socket.presenceSubscribe(bobJid);
    await until(() => seen.length === 1);
    await bob.socket.sendPresenceUpdate("available");
    await until(() => seen.length === 2);
    bob.end();
    await until(() => seen.length === 3);
    expect(seen).toEqual(["unavailable", "available", "unavailable"]);
    expect(nobodyAsked).toEqual([]);
    bob = await sandbox.reconnected(bob);
  });
});

describe("a channel's post", () => {
  it("of an account reaches those who follow, once, and its author's device not", async () => {
    // Alice's client must not receive its own post.
    const atAlice: unknown[] = [];
    alice.socket.ws.on("CB:message", ({ attrs }: BinaryNode) => void atAlice.push(attrs["from"]));
    await sandbox.sent(alice, "alice", sharedChannels.alice, { text: "breaking" });
    await until(() => texts(carol).includes("breaking"));
    const post = carol.received.find(({ message }) => message?.extendedTextMessage?.text === "breaking");
    expect(post?.key).toMatchObject({ remoteJid: sharedChannels.alice, server_id: expect.stringMatching(/^\d+$/) });
    expect(atAlice).not.toContain(sharedChannels.alice);
  });

  it("of somebody else reaches those who follow", async () => {
    await sandbox.control("POST", "/people/send", { account: "alice", chat: sharedChannels.daily, text: "the daily" });
    await until(() => [alice, carol].every((client) => texts(client).includes("the daily")));
  });
});

describe("a file", () => {
  it("may be named in padded base64, and its path has a query that clients append to", async () => {
    const { hosts, auth } = await carol.socket.refreshMediaConn();
    const body = randomBytes(100);
    const hash = createHash("sha256").update(body).digest("base64url");
    const token = encodeURIComponent(`${hash}=`);
    const host = `https://${hosts[0]?.hostname}`;
    const { status, bytes } = await call("POST", `${host}/mms/image/${token}?auth=${encodeURIComponent(auth)}&token=${token}`, body);
    expect(status).toBe(200);
    const path = String(Object(JSON.parse(bytes.toString()))["direct_path"]);
    expect(path).toContain("?");
    expect((await call("GET", `${host}${path}&hash=${token}&mms-type=image&__wa-mms=`)).bytes).toEqual(body);
  });
});

async function call(method: string, url: string, body?: Buffer): Promise<{ status: number | undefined; bytes: Buffer }> {
  const agent = new Agent({ ca: await readFile(sandbox.whatsapp.mediaCaPath, "utf8") });
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { "content-length": body?.length ?? 0 } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode, bytes: Buffer.concat(parts) }));
    });
    sent.on("error", reject).end(body);
  });
}
