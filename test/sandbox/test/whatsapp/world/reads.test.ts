import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, proto } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { sharedChannels, sharedGroups } from "../../../whatsapp/world/seed.js";
import { ask, WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
let alice: Client;

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  alice = await sandbox.linked("alice", { fireInitQueries: true });
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

const mex = async (client: Client, id: string, variables: object): Promise<Record<string, unknown>> => {
  const answer = await ask(client, "w:mex", { tag: "query", attrs: { query_id: id }, content: Buffer.from(JSON.stringify({ variables })) });
  const content = getBinaryNodeChild(answer, "result")?.content;
  return JSON.parse(Buffer.from(content as Uint8Array).toString()) as Record<string, unknown>;
};
const picture = (jid: string): Promise<string | undefined> => alice.socket.profilePictureUrl(jid, "image");

describe("the address book", () => {
  it("comes with names and LIDs, and follows the phone", async () => {
    await until(() => alice.contacts.filter(({ name }) => name).length >= 90);
    expect(alice.contacts.find(({ name }) => name === "Bob Builder")).toMatchObject({ id: "6281155501002@s.whatsapp.net" });
    expect(alice.state.creds.me?.name).toBe("Alice Liddell 🌸");
    await sandbox.control("POST", "/phone/settings", {
      account: "alice",
      contact: "6281999000111",
      name: "New Friend",
      pushName: "Alice II",
    });
    await until(() => alice.contacts.find(({ name }) => name === "New Friend"));
    await until(() => alice.state.creds.me?.name === "Alice II");
  });

  it("of a silent phone comes never, until the phone is made to", async () => {
    const frank = await sandbox.linked("frank");
    expect(frank.contacts).toEqual([]);
    await sandbox.control("POST", "/phone/settings", { account: "frank", sync: true });
    await until(() => frank.contacts.some(({ name }) => name === "Bob Builder"));
  });
});

describe("groups", () => {
  it("are listed with members, description and date", async () => {
    const groups = await alice.socket.groupFetchAllParticipating();
    expect(Object.keys(groups)).toHaveLength(6 + 24);
    expect(groups[sharedGroups.family]).toMatchObject({
      subject: "Family 👨‍👩‍👧",
      desc: "Sunday dinners\nat eight",
      addressingMode: "pn",
      size: 8,
    });
    expect(groups[sharedGroups.big]?.participants).toHaveLength(500);
    expect(groups[sharedGroups.undated]?.creation).toBeNaN();
    expect(groups[sharedGroups.foreign]).toBeUndefined();
  });

  it("can hide numbers", async () => {
    const { participants } = await alice.socket.groupMetadata(sharedGroups.hidden);
    expect(participants.every(({ id, phoneNumber }) => id.endsWith("@lid") && phoneNumber === undefined)).toBe(true);
    const open = await alice.socket.groupMetadata(sharedGroups.big);
    expect(open.participants.every(({ phoneNumber }) => phoneNumber?.endsWith("@s.whatsapp.net"))).toBe(true);
  });

  it("that are unknown or not the account's are refused", async () => {
    await expect(alice.socket.groupMetadata("120363999999999999@g.us")).rejects.toMatchObject({ data: 404 });
    await expect(alice.socket.groupMetadata(sharedGroups.foreign)).rejects.toMatchObject({ data: 403 });
  });
});

describe("pictures", () => {
  it("have an address that serves a JPEG, or are missing or denied", async () => {
    expect(await picture(sharedGroups.family)).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/pictures\//);
    await expect(picture(sharedGroups.hidden)).rejects.toMatchObject({ data: 404 });
    await expect(picture(sharedGroups.denied)).rejects.toMatchObject({ data: 401 });
  });
});

describe("channels", () => {
  it("are listed with the account's role", async () => {
    const { data } = await mex(alice, "6388546374527196", {});
    const docs: unknown = Object(data)["xwa2_newsletter_subscribed"];
    expect(docs).toHaveLength(5 + 20);
    expect(docs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: sharedChannels.alice, viewer_metadata: { mute: "OFF", role: "OWNER" } }),
        expect.objectContaining({ id: sharedChannels.bob, viewer_metadata: { mute: "OFF", role: "ADMIN" } }),
        expect.objectContaining({ id: sharedChannels.daily, viewer_metadata: { mute: "OFF", role: "SUBSCRIBER" } }),
      ]),
    );
  });

  it("are known one by one, and unknown ones are null", async () => {
    expect(await alice.socket.newsletterMetadata("jid", sharedChannels.foreign)).toMatchObject({
      id: sharedChannels.foreign,
      viewer_metadata: { role: "GUEST" },
    });
    expect(await alice.socket.newsletterMetadata("jid", "120363999999999999@newsletter")).toBeNull();
  });

  it("have a history that can be paged", async () => {
    const newest = posts(await alice.socket.newsletterFetchMessages(sharedChannels.daily, 10, undefined as never, undefined as never));
    expect(newest.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => 340 + n));
    expect(newest[9]?.text).toContain("#250");
    const before = await ask(alice, "newsletter", {
      tag: "messages",
      attrs: { type: "jid", jid: sharedChannels.daily, count: "3", before: "103" },
    });
    expect(posts(before).map(({ id }) => id)).toEqual([100, 101, 102]);
    await expect(
      ask(alice, "newsletter", { tag: "messages", attrs: { type: "jid", jid: "1@newsletter", count: "3" } }),
    ).rejects.toMatchObject({ data: 404 });
  });
});

describe("settings", () => {
  it("of a status's audience come in all their forms", async () => {
    const list = async (account: string): Promise<unknown> => {
      const client = account === "alice" ? alice : await sandbox.linked(account);
      const privacy = getBinaryNodeChild(await ask(client, "status", { tag: "privacy", attrs: {} }), "privacy");
      const inForce = getBinaryNodeChildren(privacy, "list").find(({ attrs }) => attrs["default"] === "true");
      return { type: inForce?.attrs["type"], users: getBinaryNodeChildren(inForce, "user").length };
    };
    expect(await list("alice")).toEqual({ type: "contacts", users: 0 });
    expect(await list("bob")).toEqual({ type: "blacklist", users: 2 });
    expect(await list("carol")).toEqual({ type: "whitelist", users: 3 });
    expect(await list("dave")).toEqual({ type: "whitelist", users: 0 });
    await expect(list("erin")).rejects.toMatchObject({ data: 404 });
    await sandbox.control("POST", "/phone/settings", { account: "alice", statusPrivacy: "whitelist", users: ["+49 151 000000001"] });
    expect(await list("alice")).toEqual({ type: "whitelist", users: 1 });
    await sandbox.control("POST", "/phone/settings", { account: "alice", statusPrivacy: "contacts" });
  });

  it("of privacy and the blocklist are read and set", async () => {
    expect(await alice.socket.fetchPrivacySettings(true)).toMatchObject({ readreceipts: "all", status: "contacts" });
    const blocked = await alice.socket.fetchBlocklist();
    expect(blocked).toEqual(["6281155501012@s.whatsapp.net"]);
  });

  it("of numbers tell who is on the platform", async () => {
    expect(await alice.socket.onWhatsApp("+6281155501002", "+99912345678")).toEqual([
      { jid: "6281155501002@s.whatsapp.net", exists: true },
    ]);

    // whatsmeow matches the results by the returned numbers (user.go, IsOnWhatsApp).
    const typed = ["+6281155501002@c.us", "+99912345678@c.us"];
    const answer = await ask(alice, "usync", {
      tag: "usync",
      attrs: { sid: "1", mode: "query", last: "true", index: "0", context: "interactive" },
      content: [
        { tag: "query", attrs: {}, content: [{ tag: "contact", attrs: {} }] },
        {
          tag: "list",
          attrs: {},
          content: typed.map((number) => ({
            tag: "user",
            attrs: {},
            content: [{ tag: "contact", attrs: {}, content: Buffer.from(number) }],
          })),
        },
      ],
    });
    const users = getBinaryNodeChildren(getBinaryNodeChild(getBinaryNodeChild(answer, "usync"), "list"), "user");
    const contacts = users.map((user) => getBinaryNodeChild(user, "contact"));
    expect(contacts.map((contact) => Buffer.from(contact?.content as Uint8Array).toString())).toEqual(typed);
  });
});

function posts(answer: BinaryNode): { id: number; text: string }[] {
  const parent = getBinaryNodeChild(answer, "message_updates") ?? answer;
  return getBinaryNodeChildren(getBinaryNodeChild(parent, "messages"), "message").map((post) => {
    const content = getBinaryNodeChild(post, "plaintext")?.content;
    const { extendedTextMessage, imageMessage } = proto.Message.decode(content instanceof Uint8Array ? content : Buffer.alloc(0));
    return { id: Number(post.attrs["server_id"]), text: extendedTextMessage?.text ?? imageMessage?.caption ?? "" };
  });
}
