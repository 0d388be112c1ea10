/**
 * Channels that accounts create, follow, write and read. Baileys carries the stanzas; where it has none, they are whatsmeow's
 * (newsletter.go, send.go, notification.go; test/sandbox/other-clients.md).
 */
import { type BinaryNode, generateMessageIDV2, getBinaryNodeChild, getBinaryNodeChildren, proto } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { sharedChannels } from "../../../whatsapp/world/seed.js";
import { ask, WhatsAppSandbox } from "./baileys-client.js";

/** The constants of newsletter.go. */
const queries = {
  create: "6234210096708695",
  update: "7150902998257522",
  follow: "9926858900719341",
  unfollow: "6392786840836363",
  mute: "6274038279359549",
  unmute: "6068417879924485",
  one: "6563316087068696",
  subscribed: "6388546374527196",
} as const;

interface Metadata {
  readonly id: string;
  readonly state: { readonly type: string };
  readonly thread_metadata: { readonly invite: string; readonly name: { readonly text: string }; readonly subscribers_count: string };
  readonly viewer_metadata: { readonly role: string; readonly mute: string } | null;
}

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

/** newsletter.go, sendMexIQ: a response with errors is an error. */
async function mex(client: Client, query: keyof typeof queries, variables: object): Promise<Record<string, unknown>> {
  const answer = await ask(client, "w:mex", {
    ...{ tag: "query", attrs: { query_id: queries[query] } },
    content: Buffer.from(JSON.stringify({ variables })),
  });
  const parsed: unknown = JSON.parse(Buffer.from(getBinaryNodeChild(answer, "result")?.content as Uint8Array).toString());
  const { data, errors } = parsed as { data: Record<string, unknown> | null; errors?: { extensions: { error_code: number } }[] };
  if (errors !== undefined) throw Object.assign(new Error("graphql error"), { data: errors[0]?.extensions.error_code });
  return data ?? {};
}

async function made(name: string, ...followers: Client[]): Promise<Metadata> {
  const { xwa2_newsletter_create: channel } = await mex(alice, "create", { newsletter_input: { name, description: "What it is about" } });
  for (const client of followers) await mex(client, "follow", { newsletter_id: (channel as Metadata).id });
  return channel as Metadata;
}

async function listed(client: Client): Promise<Map<string, Metadata>> {
  const { xwa2_newsletter_subscribed: channels } = await mex(client, "subscribed", {});
  return new Map((channels as Metadata[]).map((channel) => [channel.id, channel]));
}

async function looked(client: Client, input: object, viewer = true): Promise<Metadata> {
  const fetched = { fetch_creation_time: true, fetch_full_image: true, fetch_viewer_metadata: viewer };
  return (await mex(client, "one", { ...fetched, input }))["xwa2_newsletter"] as Metadata;
}

/** Collects the stanzas that a client receives from now on. */
function stanzas(client: Client, tag: "notification" | "message", type?: string): BinaryNode[] {
  const seen: BinaryNode[] = [];
  client.socket.ws.on(`CB:${tag}`, (stanza: BinaryNode) => {
    if (type === undefined || stanza.attrs["type"] === type) seen.push(stanza);
  });
  return seen;
}

/** notification.go, handleMexNotification. */
function events(client: Client): [string, unknown][] {
  const seen: [string, unknown][] = [];
  client.socket.ws.on("CB:notification", (stanza: BinaryNode) => {
    const update = getBinaryNodeChild(stanza, "update");
    if (stanza.attrs["type"] !== "mex" || update === undefined) return;
    const { data } = JSON.parse(Buffer.from(update.content as Uint8Array).toString()) as { data: object };
    for (const [name, value] of Object.entries(data)) seen.push([name, value]);
  });
  return seen;
}

/** Sends a stanza of type message and returns its ack. */
async function told(client: Client, attrs: Record<string, string>, content: BinaryNode[]): Promise<Record<string, string>> {
  const id = attrs["id"] ?? generateMessageIDV2();
  const ack = client.socket.waitForMessage<BinaryNode>(id, 15_000);
  await client.socket.sendNode({ tag: "message", attrs: { ...attrs, id }, content });
  return (await ack)?.attrs ?? {};
}

/** send.go, sendNewsletter. */
function wrote(
  client: Client,
  to: string,
  message: proto.IMessage | undefined,
  more: Record<string, string> = {},
  mediatype?: string,
): Promise<Record<string, string>> {
  const content = message && proto.Message.encode(proto.Message.fromObject(message)).finish();
  const plaintext = { tag: "plaintext", attrs: mediatype === undefined ? {} : { mediatype }, ...(content && { content }) };
  return told(client, { to, type: mediatype === undefined ? "text" : "media", ...more }, [plaintext]);
}

/** newsletter.go, NewsletterSendReaction waits for no ack. Baileys waits. */
function reacted(client: Client, to: string, serverId: string | undefined, code: string): Promise<Record<string, string>> {
  const takenBack = code === "" ? { edit: "7" } : {};
  const attrs = { to, server_id: serverId ?? "", type: "reaction", ...takenBack };
  return told(client, attrs, [{ tag: "reaction", attrs: code === "" ? {} : { code } }]);
}

/** newsletter.go, NewsletterMarkViewed: waits for any response to the receipt. */
async function viewed(client: Client, to: string, ...serverIds: (string | undefined)[]): Promise<void> {
  const id = generateMessageIDV2();
  const answer = client.socket.waitForMessage<BinaryNode>(id, 15_000);
  const items = serverIds.map((serverId) => ({ tag: "item", attrs: { server_id: serverId ?? "" } }));
  await client.socket.sendNode({ tag: "receipt", attrs: { to, type: "view", id }, content: [{ tag: "list", attrs: {}, content: items }] });
  expect((await answer)?.tag).toBe("ack");
}

/** notification.go, parseNewsletterMessages. */
function parsed(messages: BinaryNode | undefined): Record<string, unknown>[] {
  return getBinaryNodeChildren(messages, "message").map((node) => {
    const content = getBinaryNodeChild(node, "plaintext")?.content;
    const { conversation, extendedTextMessage } = content instanceof Uint8Array ? proto.Message.decode(content) : {};
    return {
      serverId: node.attrs["server_id"],
      id: node.attrs["id"],
      type: node.attrs["type"],
      views: Number(getBinaryNodeChild(node, "views_count")?.attrs["count"]),
      reactions: Object.fromEntries(
        getBinaryNodeChildren(getBinaryNodeChild(node, "reactions"), "reaction").map(({ attrs }) => [
          attrs["code"],
          Number(attrs["count"]),
        ]),
      ),
      text: content === undefined ? undefined : (extendedTextMessage?.text ?? conversation),
    };
  });
}

/** newsletter.go, GetNewsletterMessages. */
async function posts(client: Client, jid: string, more: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
  const answer = await ask(client, "newsletter", { tag: "messages", attrs: { type: "jid", jid, ...more } });
  return parsed(getBinaryNodeChild(answer, "messages"));
}

describe("a channel that an account makes", () => {
  it("is the account's, has what clients read of it, and is told to its devices", async () => {
    const heard = events(alice);
    const channel = await made("News of the day 📰");
    expect(channel).toMatchObject({
      id: expect.stringMatching(/^12036392\d{10}@newsletter$/),
      state: { type: "ACTIVE" },
      thread_metadata: {
        ...{
          name: { text: "News of the day 📰" },
          description: { text: "What it is about" },
          invite: expect.stringMatching(/^0029Va[\w-]{18}$/),
        },
        ...{ creation_time: expect.stringMatching(/^\d{10}$/), subscribers_count: "1", verification: "UNVERIFIED" },
        settings: { reaction_codes: { value: "ALL" } },
      },
      viewer_metadata: { mute: "OFF", role: "OWNER" },
    });
    expect((await listed(alice)).get(channel.id)).toEqual(channel);
    expect((await listed(bob)).has(channel.id)).toBe(false);
    await until(() => heard.some(([name, value]) => name === "xwa2_notify_newsletter_on_join" && (value as Metadata).id === channel.id));
  });

  it("is found by its link, also by who asks for nothing of their own in it", async () => {
    const { id, thread_metadata: thread } = await made("By link");
    expect(await looked(bob, { key: thread.invite, type: "INVITE" }, false)).toMatchObject({ id, viewer_metadata: null });
    expect(await looked(bob, { key: id, type: "JID" })).toMatchObject({ id, viewer_metadata: { role: "GUEST" } });
  });

  it("may be asked for in Baileys' words", async () => {
    const channel = await alice.socket.newsletterCreate("By Baileys", "With its own numbers");
    expect(channel).toMatchObject({ name: "By Baileys", description: "With its own numbers", subscribers: 1 });
    await alice.socket.newsletterUpdateName(channel.id, "Renamed");
    await bob.socket.newsletterFollow(channel.id);
    await bob.socket.newsletterMute(channel.id);
    expect((await listed(bob)).get(channel.id)).toMatchObject({
      thread_metadata: { name: { text: "Renamed" } },
      viewer_metadata: { mute: "ON" },
    });
    await bob.socket.newsletterUnmute(channel.id);
    await bob.socket.newsletterUnfollow(channel.id);
    expect((await listed(bob)).has(channel.id)).toBe(false);
  });

  it("has a name of 1 to 100 characters", async () => {
    for (const name of ["", "x".repeat(101)])
      await expect(mex(alice, "create", { newsletter_input: { name } })).rejects.toMatchObject({ data: 400 });
    expect(await made("📰".repeat(100))).toMatchObject({ viewer_metadata: { role: "OWNER" } });
  });

  it("is renamed by who runs it, and ended by its owner: nothing of it is there then", async () => {
    const { id } = await made("First name", bob);
    await expect(mex(bob, "update", { newsletter_id: id, updates: { name: "Mine" } })).rejects.toMatchObject({ data: 403 });
    await mex(alice, "update", { newsletter_id: id, updates: { description: "Another one", picture: "/9j/4AAQ", settings: null } });
    expect(await looked(bob, { key: id, type: "JID" })).toMatchObject({
      thread_metadata: {
        name: { text: "First name" },
        description: { text: "Another one" },
        picture: { url: expect.stringMatching(/^https:/) },
      },
    });
    await expect(bob.socket.newsletterDelete(id)).rejects.toMatchObject({ output: { statusCode: 403 } });
    await alice.socket.newsletterDelete(id);
    expect(await looked(alice, { key: id, type: "JID" })).toMatchObject({ state: { type: "DELETED" } });
    for (const client of [alice, bob]) expect((await listed(client)).has(id)).toBe(false);
    expect((await wrote(alice, id, { conversation: "anybody?" }))["error"]).toBe("404");
    await expect(posts(alice, id)).rejects.toMatchObject({ data: 404 });
    await expect(mex(bob, "follow", { newsletter_id: id })).rejects.toMatchObject({ data: 404 });
  });
});

describe("who follows a channel", () => {
  it("gets its posts until they leave it, and is counted", async () => {
    const { id } = await made("Come and go", carol);
    const [heard, atBob, atCarol] = [events(bob), stanzas(bob, "message"), stanzas(carol, "message")];
    await mex(bob, "follow", { newsletter_id: id });
    expect((await listed(bob)).get(id)).toMatchObject({
      viewer_metadata: { role: "SUBSCRIBER" },
      thread_metadata: { subscribers_count: "3" },
    });
    await until(() =>
      heard.some(
        ([name, value]) => name === "xwa2_notify_newsletter_on_join" && (value as Metadata).viewer_metadata?.role === "SUBSCRIBER",
      ),
    );
    const one = await wrote(alice, id, { conversation: "one" });
    await until(() => atBob.some(({ attrs }) => attrs["from"] === id && attrs["server_id"] === one["server_id"]));
    for (const muted of [true, false]) {
      await mex(bob, muted ? "mute" : "unmute", { newsletter_id: id });
      expect((await listed(bob)).get(id)).toMatchObject({ viewer_metadata: { mute: muted ? "ON" : "OFF" } });
      await until(() =>
        heard.some(([name, value]) => name === "xwa2_notify_newsletter_on_mute_change" && Object(value)["mute"] === (muted ? "ON" : "OFF")),
      );
    }
    await mex(bob, "unfollow", { newsletter_id: id });
    await until(() => heard.some(([name, value]) => name === "xwa2_notify_newsletter_on_leave" && Object(value)["id"] === id));
    expect((await listed(bob)).has(id)).toBe(false);
    const two = await wrote(alice, id, { conversation: "two" });
    await until(() => atCarol.some(({ attrs }) => attrs["server_id"] === two["server_id"]));
    // One connection keeps the order of stanzas, so a request after the post gets its response after it.
    expect(await looked(bob, { key: id, type: "JID" })).toMatchObject({ thread_metadata: { subscribers_count: "2" } });
    expect(atBob.filter(({ attrs }) => attrs["from"] === id)).toHaveLength(1);
    // Accounts that do not follow a channel can read its posts.
    expect((await posts(bob, id)).map(({ text }) => text)).toEqual(["one", "two"]);
  });

  it("is not its owner's choice, and needs a channel", async () => {
    const { id } = await made("My own");
    await expect(mex(alice, "unfollow", { newsletter_id: id })).rejects.toMatchObject({ data: 403 });
    for (const query of ["follow", "unfollow", "mute", "update"] as const)
      await expect(mex(alice, query, { newsletter_id: "120363999999999999@newsletter" })).rejects.toMatchObject({ data: 404 });
  });
});

describe("a post", () => {
  it("is edited and taken back under its own id, which its followers are told", async () => {
    const { id: channel } = await made("Second thoughts", bob);
    const atBob = stanzas(bob, "message");
    const id = generateMessageIDV2();
    const { server_id: serverId } = await wrote(alice, channel, { conversation: "frist" }, { id });
    const edited = await wrote(alice, channel, { conversation: "first" }, { id, edit: "3" });
    expect([edited["error"], edited["server_id"]]).toEqual([undefined, serverId]);
    const change = await until(() => atBob.find(({ attrs }) => attrs["edit"] === "3"));
    expect(change.attrs).toMatchObject({ from: channel, id, server_id: serverId });
    // message.go, handlePlaintextMessage: the new content and both times.
    expect(proto.Message.decode(getBinaryNodeChild(change, "plaintext")?.content as Uint8Array).conversation).toBe("first");
    const { msg_edit_t: editedAt, original_msg_t: writtenAt } = getBinaryNodeChild(change, "meta")?.attrs ?? {};
    expect([/^\d{13}$/.test(editedAt ?? ""), writtenAt]).toEqual([true, change.attrs["t"]]);
    expect(await posts(carol, channel)).toMatchObject([{ serverId, id, text: "first" }]);
    expect((await wrote(bob, channel, { conversation: "mine" }, { id, edit: "3" }))["error"]).toBe("403");
    expect((await wrote(alice, channel, { conversation: "which?" }, { edit: "3" }))["error"]).toBe("404");
    expect((await wrote(alice, channel, undefined, { id, edit: "8" }))["error"]).toBeUndefined();
    await until(() => atBob.some(({ attrs }) => attrs["edit"] === "8" && attrs["id"] === id));
    // A deleted post keeps its place without content.
    expect(await posts(carol, channel)).toMatchObject([{ serverId, id, text: undefined }]);
    expect((await wrote(alice, channel, { conversation: "again" }, { id, edit: "3" }))["error"]).toBe("404");
  });

  // send.go, getMediaTypeFromMessage: a text with a title has type media and no upload.
  it("may be a text with what stands behind its link, without a file", async () => {
    const { id } = await made("Links");
    const link = { extendedTextMessage: { text: "https://example.com", title: "Example", matchedText: "https://example.com" } };
    expect((await wrote(alice, id, link, {}, "url"))["error"]).toBeUndefined();
    expect(await posts(bob, id)).toMatchObject([{ type: "media", text: "https://example.com" }]);
  });

  it("is reacted to and seen by anybody, each counted once, and told at once to who looks at the channel", async () => {
    const { id: channel } = await made("Opinions", bob);
    const { server_id: serverId = "" } = await wrote(alice, channel, { conversation: "what do you think?" });
    const answer: unknown = await carol.socket.query({
      ...{ tag: "iq", attrs: { to: channel, type: "set", xmlns: "newsletter" }, content: [{ tag: "live_updates", attrs: {} }] },
    });
    expect(Number(getBinaryNodeChild(answer as BinaryNode, "live_updates")?.attrs["duration"])).toBeGreaterThan(0);
    const [atCarol, atBob] = [stanzas(carol, "notification", "newsletter"), stanzas(bob, "notification", "newsletter")];
    expect((await reacted(bob, channel, serverId, "🔥"))["error"]).toBeUndefined();
    await reacted(alice, channel, serverId, "🔥");
    await reacted(carol, channel, serverId, "👀");
    await reacted(carol, channel, serverId, "🙏");
    await viewed(bob, channel, serverId);
    await viewed(bob, channel, serverId);
    await viewed(carol, channel, serverId, "99999");
    const now = { serverId, views: 2, reactions: { "🔥": 2, "🙏": 1 } };
    expect(await posts(bob, channel)).toMatchObject([now]);
    const live = (): unknown[] => atCarol.flatMap((stanza) => parsed(getBinaryNodeChild(stanza, "live_updates")));
    await until(() => live().length >= 6);
    expect(live()).toMatchObject([
      { serverId, views: 0, reactions: { "🔥": 1 }, text: undefined },
      { reactions: { "🔥": 2 } },
      { reactions: { "🔥": 2, "👀": 1 } },
      { reactions: { "🔥": 2, "🙏": 1 } },
      { views: 1 },
      now,
    ]);
    await reacted(bob, channel, serverId, "");
    await alice.socket.newsletterReactMessage(channel, serverId, "👍");
    expect(await posts(bob, channel)).toMatchObject([{ reactions: { "👍": 1, "🙏": 1 } }]);
    expect((await reacted(bob, channel, "99999", "🔥"))["error"]).toBe("404");
    expect((await reacted(bob, "120363999999999999@newsletter", serverId, "🔥"))["error"]).toBe("404");
    expect(atBob).toEqual([]);
  });

  it("of the first day is changed like any other", async () => {
    const [before] = await posts(alice, sharedChannels.alice, { count: "1", before: "103" });
    await reacted(bob, sharedChannels.alice, "102", "🌸");
    await viewed(bob, sharedChannels.alice, "102");
    expect(await posts(alice, sharedChannels.alice, { count: "1", before: "103" })).toMatchObject([
      { ...before, views: Number(before?.["views"]) + 1, reactions: { ...Object(before?.["reactions"]), "🌸": 1 } },
    ]);
    expect(await posts(alice, sharedChannels.alice)).toHaveLength(12);
  });
});

// Last in this file: it ends all connections.
it("is there after a restart, as it was left", async () => {
  const { id } = await made("Kept", bob, carol);
  const gone = await made("Gone");
  await mex(bob, "mute", { newsletter_id: id });
  await mex(carol, "unfollow", { newsletter_id: id });
  await mex(bob, "unfollow", { newsletter_id: sharedChannels.alice });
  await alice.socket.newsletterDelete(gone.id);
  const { server_id: serverId } = await wrote(alice, id, { conversation: "kept" });
  const backId = generateMessageIDV2();
  await wrote(alice, id, { conversation: "not kept" }, { id: backId });
  await wrote(alice, id, undefined, { id: backId, edit: "8" });
  await reacted(bob, id, serverId, "🔥");
  await viewed(bob, id, serverId);
  const before = await posts(alice, id);
  expect(before).toMatchObject([{ text: "kept", views: 1, reactions: { "🔥": 1 } }, { text: undefined }]);
  for (const client of [alice, bob, carol]) client.end();
  await sandbox.restart();
  alice = await sandbox.reconnected(alice);
  bob = await sandbox.reconnected(bob);
  expect(await posts(alice, id)).toEqual(before);
  const [atAlice, atBob] = [await listed(alice), await listed(bob)];
  expect(atAlice.get(id)).toMatchObject({
    thread_metadata: { name: { text: "Kept" }, subscribers_count: "2" },
    viewer_metadata: { role: "OWNER" },
  });
  expect(atBob.get(id)).toMatchObject({ viewer_metadata: { role: "SUBSCRIBER", mute: "ON" } });
  expect([atAlice.has(gone.id), atBob.has(sharedChannels.alice)]).toEqual([false, false]);
});
