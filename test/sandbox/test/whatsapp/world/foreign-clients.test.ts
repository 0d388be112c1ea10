/**
 * Cases in which other clients showed that the sandbox lost or ignored a value: whatsmeow's message.go and group.go, Baileys' groups.js
 * and chats.js.
 */
import type { BinaryNode } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { drawPicture, scaleToJpeg } from "../../../files/pictures.js";
import { WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  [alice, bob] = [await sandbox.linked("alice"), await sandbox.linked("bob")];
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

const jid = (name: string): string => `${sandbox.whatsapp.world.account(name).phone}@s.whatsapp.net`;

/** Collects the stanzas with that tag that a client receives from now on. */
function stanzas(client: Client, tag: string): BinaryNode[] {
  const seen: BinaryNode[] = [];
  client.socket.ws.on(`CB:${tag}`, (stanza: BinaryNode) => void seen.push(stanza));
  return seen;
}

const ask = (to: string, xmlns: string, content: BinaryNode, more: Record<string, string> = {}): Promise<unknown> =>
  alice.socket.query({ tag: "iq", attrs: { to, type: "set", xmlns, ...more }, content: [content] });
const server = "s.whatsapp.net";
const of = (tag: string, attrs: Record<string, string> = {}): BinaryNode => ({ tag, attrs });

describe("a message of a linked device", () => {
  it("has its author's push name, the same as from the phone, and says that it is an edit", async () => {
    const seen = stanzas(bob, "message");
    const sent = await alice.socket.sendMessage(jid("bob"), { text: "typo" });
    if (sent?.key === undefined) throw new Error("not sent");
    await alice.socket.sendMessage(jid("bob"), { text: "no typo", edit: sent.key });
    await alice.socket.sendMessage(jid("bob"), { delete: sent.key });
    await sandbox.control("POST", "/people/send", { platform: "whatsapp", account: "bob", chat: "alice", text: "from the phone" });
    await until(() => seen.length >= 4);
    expect(seen.map(({ attrs }) => [attrs["notify"], attrs["edit"]])).toEqual([
      ["Alice Liddell 🌸", undefined],
      ["Alice Liddell 🌸", "1"],
      ["Alice Liddell 🌸", "7"],
      ["Alice Liddell 🌸", undefined],
    ]);
  });
});

describe("a group", () => {
  let group: string;
  beforeAll(async () => {
    group = (await alice.socket.groupCreate("Strict", [jid("bob")])).id;
  });

  it("says with a version who may write", async () => {
    const seen = stanzas(bob, "notification");
    await alice.socket.groupSettingUpdate(group, "announcement");
    await alice.socket.groupSettingUpdate(group, "not_announcement");
    const changes = () =>
      seen.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ tag }) => tag.endsWith("announcement"));
    await until(() => changes().length >= 2);
    expect(changes().map(({ tag, attrs }) => [tag, attrs["v_id"]])).toEqual([
      ["announcement", expect.stringMatching(/^\d+$/)],
      ["not_announcement", expect.stringMatching(/^\d+$/)],
    ]);
  });

  it("takes a description without an id, also in the place of another one", async () => {
    for (const text of ["first", "second"]) {
      await ask(group, "w:g2", { tag: "description", attrs: {}, content: [{ tag: "body", attrs: {}, content: Buffer.from(text) }] });
      expect((await bob.socket.groupMetadata(group)).desc).toBe(text);
    }
  });

  it("has its picture set by a member, and not by others", async () => {
    const before = await bob.socket.profilePictureUrl(group).catch(() => undefined);
    const seen = stanzas(bob, "notification");
    const { bytes } = await scaleToJpeg(await drawPicture(5, { width: 64, height: 64 }, "g"), 64);
    const picture: BinaryNode = { tag: "picture", attrs: { type: "image" }, content: bytes };
    expect(await ask(server, "w:profile:picture", picture, { target: group })).toMatchObject({ content: [{ tag: "picture" }] });
    await until(() => seen.some(({ attrs }) => attrs["type"] === "picture" && attrs["from"] === group));
    const after = await bob.socket.profilePictureUrl(group);
    expect(after).toMatch(/^https:/);
    expect(after).not.toBe(before);
    await expect(ask(server, "w:profile:picture", picture, { target: jid("bob") })).rejects.toThrow("forbidden");
  });

  it.each([
    ["the groups of a community", "w:g2", of("sub_groups")],
    ["a timer of disappearing messages", "w:g2", of("something_new", { expiration: "86400" })],
  ])("refuses what is not played: %s", async (_, xmlns, content) => {
    await expect(ask(group, xmlns, content)).rejects.toThrow("feature-not-implemented");
  });
});

it.each([
  ["a contact's QR link", "w:qr", of("qr", { type: "contact" })],
  ["a list of bots", "bot", of("bot", { v: "2" })],
  ["a change of privacy", "privacy", { ...of("privacy"), content: [of("category", { name: "last", value: "none" })] }],
])("refuses what is not played: %s", async (_, xmlns, content) => {
  await expect(ask(server, xmlns, content)).rejects.toThrow("feature-not-implemented");
});
