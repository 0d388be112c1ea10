import { type BinaryNode, generateMessageIDV2 } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { contactPerson } from "../../../whatsapp/world/person.js";
import { sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
let alice: Client;
let bob: Client;
let noor: Client;

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  await sandbox.control("POST", "/accounts", { account: "noor", lidMigrated: true });
  alice = await sandbox.linked("alice");
  bob = await sandbox.linked("bob");
  noor = await sandbox.linked("noor");
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

const { phone, lid } = contactPerson(0, 0);
const byNumber = `${phone}@s.whatsapp.net`;
const byLid = `${lid}@lid`;
const codeOf = async (ack: Promise<BinaryNode>): Promise<string | undefined> => (await ack).attrs["error"];
const status = (client: Client, jid: string): Promise<BinaryNode> =>
  client.send("status@broadcast", { text: "x" }, { statusJidList: [jid] });
/** Sends a stanza with unreadable copies: the server checks only their addresses. */
const addressed = async (client: Client, to: string, devices: readonly string[], attrs: Record<string, string> = {}) => {
  const id = generateMessageIDV2();
  const ack = client.socket.waitForMessage(id, 10_000);
  const enc: BinaryNode = { tag: "enc", attrs: { v: "2", type: "msg" }, content: Buffer.alloc(8) };
  const content = devices.map((jid): BinaryNode => ({ tag: "to", attrs: { jid }, content: [enc] }));
  await client.socket.sendNode({
    tag: "message",
    attrs: { id, to, type: "text", ...attrs },
    content: [{ tag: "participants", attrs: {}, content }],
  });
  const answer: unknown = await ack;
  return (answer as BinaryNode).attrs;
};

describe("a migrated account", () => {
  it("writes by LID, and is refused by number: 463 for a message, 479 for a status", async () => {
    expect(await codeOf(noor.send(byNumber, { text: "x" }))).toBe("463");
    expect(await codeOf(status(noor, byNumber))).toBe("479");
    expect(await codeOf(noor.send(byLid, { text: "x" }))).toBeUndefined();
    expect(await codeOf(status(noor, byLid))).toBeUndefined();
    expect((await addressed(noor, byLid, [byNumber])).error).toBe("479");
  });

  it("is unlike others, which write by either", async () => {
    for (const jid of [byNumber, byLid]) {
      expect(await codeOf(alice.send(jid, { text: "x" }))).toBeUndefined();
      expect(await codeOf(status(alice, jid))).toBeUndefined();
    }
  });

  it("is told so when it is linked, and is written to by LID", async () => {
    const { body } = await sandbox.control("POST", "/people/send", { account: "noor", chat: "alice", text: "hi noor" });
    const got = await until(() => noor.received.find(({ key }) => key.id === body["messageId"]));
    expect(got.key).toMatchObject({
      remoteJid: `${sandbox.whatsapp.world.account("alice").lid}@lid`,
      remoteJidAlt: "6281155501001@s.whatsapp.net",
    });
  });

  it("types to a number in vain", async () => {
    await noor.socket.sendPresenceUpdate("composing", byNumber);
    await noor.socket.sendPresenceUpdate("composing", byLid);
    const typing = async (): Promise<unknown> =>
      (await sandbox.docs("/received?account=noor")).filter(({ type }) => type === "typing").map(({ chat }) => chat);
    await expect.poll(typing).toEqual([byLid]);
  });
});

describe("the devices that a message names", () => {
  it.each([
    ["twice", [byNumber, byNumber]],
    ["by number and by LID", [byNumber, byLid]],
  ])("are refused with 479 when it names one %s", async (_, devices) => {
    expect((await addressed(alice, byNumber, devices)).error).toBe("479");
  });

  it("are compared with those that there are, and the ack has their hash when they are others", async () => {
    const own = "6281155501001@s.whatsapp.net";
    const all = [
      own,
      "6281155501002@s.whatsapp.net",
      `6281155501002:${sandbox.whatsapp.server.devices("6281155501002")[0]?.number}@s.whatsapp.net`,
    ];
    expect((await addressed(alice, "6281155501002@s.whatsapp.net", all)).phash).toBeUndefined();
    expect((await addressed(alice, "6281155501002@s.whatsapp.net", all.slice(0, 2))).phash).toMatch(/^2:[\w+/]{8}$/);
  });

  it("of a group are compared by the hash that the message has", async () => {
    expect((await addressed(alice, sharedGroups.family, [], { phash: "2:AAAAAAAA" })).phash).toMatch(/^2:[\w+/]{8}$/);
    expect((await addressed(alice, sharedGroups.family, [])).phash).toBeUndefined();
  });
});

describe("a group's message", () => {
  it.each([
    ["number", sharedGroups.family, "6281155501001@s.whatsapp.net", "pn"],
    ["LID", sharedGroups.big, "LID", "lid"],
  ])("names its author by %s, as the group lists its members", async (_, group, participant, mode) => {
    const author = participant === "LID" ? `${sandbox.whatsapp.world.account("alice").lid}@lid` : participant;
    const id = String((await sandbox.sent(alice, "alice", group, { text: `from alice by ${mode}` }))["id"]);
    const got = await until(() => bob.received.find(({ key }) => key.id === id));
    expect(got.key).toMatchObject({ participant: author, addressingMode: mode });
    expect(got.message?.extendedTextMessage?.text).toBe(`from alice by ${mode}`);
    const { body } = await sandbox.control("POST", "/people/send", { account: "bob", chat: group, from: "alice", text: "by her phone" });
    const second = await until(() => bob.received.find(({ key }) => key.id === body["messageId"]));
    expect(second.key).toMatchObject({ participant: author, addressingMode: mode });
  });
});
