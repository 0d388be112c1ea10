import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { type BinaryNode, generateMessageIDV2, getBinaryNodeChild, proto } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Channel, ChannelMessage } from "../../../shared/contract/whatsapp/channel.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { eventually } from "../../harness/eventually.js";
import { type Client, linked } from "../../sandbox/clients/baileys-client.js";
import { WhatsAppFixture } from "./fixture.js";

/**
 * Channels that other people make, run and follow together with the account. The account's calls must show their changes, and the reverse.
 */
let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
/** Another device of the account's owner, and another person, each on a client of its own. */
let ownDevice: Client;
let bob: Client;
/** Messages that Bob receives from channels. */
const atBob: BinaryNode[] = [];

beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  ({ session: alice } = await fixture.login("alice"));
  const { server, world } = fixture.sandbox.whatsapp;
  ownDevice = await linked(server, world.account("alice").phone);
  bob = await linked(server, world.account("bob").phone);
  bob.socket.ws.on("CB:message", (stanza: BinaryNode) => void atBob.push(stanza));
});
afterAll(async () => {
  bob.end();
  ownDevice.end();
  await fixture.stop();
});

const channels = async (): Promise<Map<string, Channel>> => {
  const { docs } = await fixture.run(alice, "list-channels", {});
  return new Map(docs.map((channel) => [channel.id, channel]));
};
const messages = async (channelId: string): Promise<ChannelMessage[]> =>
  (await fixture.run(alice, "list-channel-messages", { channelId, limit: 10, before: 0 })).docs;

/** Posts to a channel as whatsmeow does (send.go, sendNewsletter). Returns the id that the channel assigned. */
async function posted(
  client: Client,
  to: string,
  message: proto.IMessage | undefined,
  attrs: Record<string, string> = {},
  mediatype?: string,
): Promise<string> {
  const { id = generateMessageIDV2() } = attrs;
  const ack = client.socket.waitForMessage<BinaryNode>(id, 30_000);
  const content = message && proto.Message.encode(proto.Message.fromObject(message)).finish();
  await client.socket.sendNode({
    tag: "message",
    attrs: { type: mediatype === undefined ? "text" : "media", ...attrs, to, id },
    content: [{ tag: "plaintext", attrs: mediatype === undefined ? {} : { mediatype }, ...(content && { content }) }],
  });
  const { error, server_id: serverId = "" } = (await ack)?.attrs ?? {};
  expect(error).toBeUndefined();
  return serverId;
}

/** Returns a post as Bob receives it. */
async function read(channel: string, serverId: string): Promise<proto.Message> {
  const find = (): BinaryNode | undefined => atBob.find(({ attrs }) => attrs["from"] === channel && attrs["server_id"] === serverId);
  await eventually("the post came", () => find() !== undefined);
  const post = find();
  return proto.Message.decode(getBinaryNodeChild(post, "plaintext")?.content as Uint8Array);
}

describe("a channel that another person creates", () => {
  test("is returned by its id, listed while the account follows it, and absent once it is deleted", async () => {
    const { id } = await bob.socket.newsletterCreate("From outside", "By Bob");
    expect(await fixture.run(alice, "get-channel", { channelId: id })).toMatchObject({
      id,
      name: "From outside",
      isOwner: false,
      picture: "",
    });
    expect((await channels()).has(id)).toBe(false);
    await ownDevice.socket.newsletterFollow(id);
    expect((await channels()).get(id)).toMatchObject({ name: "From outside", isOwner: false });
    await bob.socket.newsletterUpdateName(id, "Renamed");
    expect((await channels()).get(id)?.name).toBe("Renamed");
    await expect(
      fixture.run(alice, "send-message", { to: { kind: "newsletter", id }, type: "text", text: "may I?" }),
    ).rejects.toMatchObject({ status: 500 });
    await bob.socket.newsletterDelete(id);
    expect((await channels()).has(id)).toBe(false);
    await expect(fixture.run(alice, "get-channel", { channelId: id })).rejects.toMatchObject({ status: 500, message: "channel not found" });
  });

  test("has posts that are read as they are: new, edited, taken back, seen and reacted to", async () => {
    const { id: channelId } = await bob.socket.newsletterCreate("Bob's posts", "");
    await ownDevice.socket.newsletterFollow(channelId);
    const first = generateMessageIDV2();
    const [one, two] = [
      await posted(bob, channelId, { conversation: "frist" }, { id: first }),
      await posted(bob, channelId, { conversation: "second" }),
    ];
    expect(await messages(channelId)).toMatchObject([
      { id: two, type: "text", text: "second", views: 0 },
      { id: one, type: "text", text: "frist", views: 0 },
    ]);
    await posted(bob, channelId, { conversation: "first" }, { id: first, edit: "3" });
    // See whatsmeow's newsletter.go, NewsletterMarkViewed and NewsletterSendReaction.
    const viewed = ownDevice.socket.waitForMessage<BinaryNode>("VIEW-1", 30_000);
    const items = [one, two].map((serverId) => ({ tag: "item", attrs: { server_id: serverId } }));
    await ownDevice.socket.sendNode({
      ...{ tag: "receipt", attrs: { to: channelId, type: "view", id: "VIEW-1" } },
      content: [{ tag: "list", attrs: {}, content: items }],
    });
    await viewed;
    await ownDevice.socket.newsletterReactMessage(channelId, one, "🔥");
    expect(await messages(channelId)).toMatchObject([
      { id: two, text: "second", views: 1 },
      { id: one, text: "first", views: 1 },
    ]);
    await posted(bob, channelId, undefined, { id: first, edit: "8" });
    expect((await messages(channelId)).map(({ id }) => id)).toEqual([two]);
  });
});

describe("a channel that the account's owner makes on another device", () => {
  test("belongs to the account, whose posts reach followers byte for byte", async () => {
    const { id: channelId } = await ownDevice.socket.newsletterCreate("Alice makes", "On the phone");
    expect((await channels()).get(channelId)).toMatchObject({ name: "Alice makes", isOwner: true });
    await bob.socket.newsletterFollow(channelId);
    const to = { kind: "newsletter", id: channelId } as const;
    const text = fixture.sent("alice", (await fixture.run(alice, "send-message", { to, type: "text", text: "to my followers" })).messageId);
    expect((await read(channelId, String(text.serverId))).extendedTextMessage?.text).toBe("to my followers");
    const { messageId } = await fixture.run(alice, "send-message", {
      to,
      type: "image",
      text: "look",
      image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" },
    });
    const { serverId } = fixture.sent("alice", messageId);
    const { imageMessage } = await read(channelId, String(serverId));
    const file = await downloaded(imageMessage?.directPath ?? "");
    expect(createHash("sha256").update(file).digest()).toEqual(Buffer.from(imageMessage?.fileSha256 ?? []));
    expect([file.length, imageMessage?.caption]).toEqual([Number(imageMessage?.fileLength), "look"]);
    await bob.socket.newsletterReactMessage(channelId, String(serverId), "👍");
    expect(await messages(channelId)).toMatchObject([
      { id: String(serverId), type: "image", text: "look", size: file.length },
      { id: String(text.serverId), text: "to my followers" },
    ]);
    await bob.socket.newsletterUnfollow(channelId);
    await fixture.run(alice, "send-message", { to, type: "text", text: "who is left?" });
    // The server responds in order, so the post would have arrived before this response.
    await bob.socket.newsletterMetadata("jid", channelId);
    expect(atBob.filter(({ attrs }) => attrs["from"] === channelId)).toHaveLength(2);
  });
});

/** Downloads a channel's unencrypted file from the media hosts, as clients do. */
async function downloaded(path: string): Promise<Buffer> {
  const { hosts } = await bob.socket.refreshMediaConn();
  const ca = await readFile(fixture.sandbox.whatsapp.mediaCaPath, "utf8");
  return await new Promise((resolve, reject) => {
    const get = request(`https://${hosts[0]?.hostname}${path}`, { agent: new Agent({ ca }) }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => void parts.push(part)).once("end", () => resolve(Buffer.concat(parts)));
      response.once("error", reject);
    });
    get.once("error", reject).end();
  });
}
