import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import { memberPerson } from "../../sandbox/whatsapp/world/person.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";
import { arrived, control, messageOf, request } from "./received-events.js";

/** The events of each type of message, and of what else an account receives. */
let fixture: WhatsAppFixture;
let context: TestContext;
beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  ({ context } = await fixture.login("alice"));
});
afterEach(() => fixture.sandbox.whatsapp.control.clearFaults());
afterAll(() => fixture.stop());

type Fields = Record<string, unknown>;
const bob = "6281155501002@s.whatsapp.net";
const post = (path: string, fields: Fields): Promise<Fields> => control(fixture, `/people/${path}`, { account: "alice", ...fields });

/** Returns the event that an action gives. */
async function eventOf(type: EventType, act: () => Promise<Fields>): Promise<{ readonly event: UpdateEvent; readonly said: Fields }> {
  context.storage.updates?.events.splice(0);
  request(context, [type]);
  const said = await act();
  const [event] = await arrived(context, 1);
  expect(event?.type).toBe(type);
  if (event === undefined) throw new Error("no event");
  return { event, said };
}

const url = expect.stringMatching(/^http/) as string;
const jid = expect.stringMatching(/^\d+@(s\.whatsapp\.net|lid)$/) as string;
const positive = expect.toSatisfy((value: number) => value > 0) as number;
const file = { url, mimetype: expect.stringContaining("/") as string, size: positive };
const types: readonly [name: string, sent: Fields, expected: Fields][] = [
  ["a text", { text: "hi" }, { type: "text", text: "hi", url: "", size: 0 }],
  ["a plain text", { text: "hi", plain: true }, { type: "text", text: "hi" }],
  ["an image", { media: "image", text: "look" }, { type: "image", text: "look", ...file, width: positive, height: positive }],
  ["a video", { media: "video" }, { type: "video", animation: false, duration: positive, ...file }],
  ["an animation", { media: "animation" }, { type: "video", animation: true, ...file }],
  ["a round video", { media: "round" }, { type: "video", round: true, ...file }],
  ["an audio file", { media: "audio" }, { type: "audio", voice: false, duration: positive, ...file }],
  ["a voice message", { media: "voice" }, { type: "audio", voice: true, ...file }],
  ["a sticker", { media: "sticker" }, { type: "sticker", ...file }],
  ["a document", { media: "document" }, { type: "document", name: expect.stringMatching(/./) as string, ...file }],
  [
    "a location",
    { media: "location" },
    { type: "location", location: expect.objectContaining({ latitude: expect.any(Number) as number }) as object },
  ],
  [
    "a contact",
    { media: "contact" },
    { type: "contact", contact: { name: expect.any(String) as string, phone: expect.any(String) as string } },
  ],
  ["a poll", { media: "poll", text: "which?", options: ["a", "b"] }, { type: "poll", text: "which?", poll: { options: ["a", "b"] } }],
  [
    "an image for one look",
    { media: "image", viewOnce: true, text: "secret" },
    { type: "other", viewOnce: true, text: "", url: "", thumbnail: "", size: 0 },
  ],
  ["a forwarded text", { text: "again", forwarded: true }, { type: "text", forwarded: true }],
  [
    "a text with what stands behind its link",
    { text: "see https://example.com/", preview: true },
    { type: "text", text: "see https://example.com/", url: "" },
  ],
  ["a text of a disappearing chat", { text: "soon gone", envelope: "ephemeral" }, { type: "text", text: "soon gone" }],
  [
    "a document with a caption, of a disappearing chat",
    { media: "document", text: "the list", envelope: "ephemeral" },
    { type: "document", text: "the list", ...file },
  ],
  [
    "an image for one look in the first form",
    { media: "image", envelope: "viewOnce", text: "secret" },
    { type: "other", viewOnce: true, text: "", url: "", size: 0 },
  ],
  ["a voice message for one look", { media: "voice", viewOnce: true }, { type: "other", viewOnce: true, url: "" }],
  ["several contacts", { media: "contacts" }, { type: "contact", contact: { name: "Alice", phone: "6281155501001" } }],
  [
    "a live location",
    { media: "live-location" },
    { type: "location", text: "on my way", location: expect.objectContaining({ latitude: 51.5007 }) as object },
  ],
  ["a poll in the first form", { media: "poll", version: 1, text: "which?" }, { type: "poll", text: "which?" }],
  ["a text with a mention", { text: "@bob", mentions: "bob" }, { mentions: [bob] }],
];

describe("a message", () => {
  it.each(types)("that is %s", async (_name, sent, expected) => {
    const { event, said } = await eventOf("message.new", () => post("send", { chat: "bob", ...sent }));
    expect(event.data).toMatchObject({ id: said["messageId"], fromMe: false, viewOnce: false, edited: "", chat: { id: bob }, ...expected });
  });

  it("that replies to another", async () => {
    const { said } = await eventOf("message.new", () => post("send", { chat: "bob", text: "first" }));
    const replyTo = said["messageId"];
    const { event } = await eventOf("message.new", () => post("send", { chat: "bob", text: "second", replyTo }));
    expect(event.data).toMatchObject({ text: "second", replyTo });
  });

  it("that the account sent on its phone", async () => {
    const { event, said } = await eventOf("message.new", () => post("send", { chat: "bob", text: "mine", out: true }));
    expect(event.data).toMatchObject({ id: said["messageId"], text: "mine", fromMe: true, chat: { id: bob, phone: "6281155501002" } });
  });

  it.each([false, true])("that is an album's header gives no event, and its pictures name it, sent by the account: %s", async (out) => {
    context.storage.updates?.events.splice(0);
    request(context, ["message.new"]);
    const { messageId: albumId } = await post("send", { chat: "bob", album: 2, out });
    const pictures = [
      await post("send", { chat: "bob", media: "image", albumId, out }),
      await post("send", { chat: "bob", media: "video", albumId, out }),
    ];
    const events = await arrived(context, 2);
    expect(events.map((event) => messageOf(event).id)).toEqual(pictures.map(({ messageId }) => messageId));
    expect(events.map(({ data }) => data)).toMatchObject([
      { type: "image", albumId, fromMe: out },
      { type: "video", albumId, fromMe: out },
    ]);
  });

  it("of a stranger who hides the number", async () => {
    const { phone, lid } = memberPerson(777_021);
    await control(fixture, "/phone/settings", { account: "alice", phoneHidden: true, person: phone });
    const { event } = await eventOf("message.new", () => post("send", { chat: phone, text: "who?" }));
    expect(event.data).toMatchObject({ text: "who?", chat: { id: `${lid}@lid`, lid: `${lid}@lid`, phone: "" } });
  });
});

describe("a change", () => {
  it("is a reaction, or takes it back", async () => {
    const { said } = await eventOf("message.new", () => post("send", { chat: "bob", text: "like me" }));
    const messageId = said["messageId"];
    for (const reaction of ["👍", ""]) {
      const { event } = await eventOf("message.reaction", () => post("edit", { chat: "bob", messageId, reaction }));
      expect(event.data).toMatchObject({ messageId, emoji: reaction, fromMe: false, chat: { id: bob } });
    }
  });

  it.each([false, true])("is an edit, wrapped: %s", async (wrapped) => {
    const { said } = await eventOf("message.new", () => post("send", { chat: "bob", text: "frist" }));
    const messageId = said["messageId"];
    const { event } = await eventOf("message.edited", () => post("edit", { chat: "bob", messageId, text: "first", wrapped }));
    expect(event.data).toMatchObject({ id: messageId, text: "first", fromMe: false });
    expect(messageOf(event).edited).not.toBe("");
  });

  it("is an administrator's deletion in a group", async () => {
    const chat = sharedGroups.family;
    const { said } = await eventOf("group.message.new", () => post("send", { chat, from: "bob", text: "oops" }));
    const messageId = said["messageId"];
    const { event } = await eventOf("group.message.deleted", () => post("delete", { chat, from: "bob", messageId }));
    expect(event.data).toMatchObject({ chat: { id: chat }, ids: [messageId] });
  });

  it("is a group's new subject, with who changed it", async () => {
    const { event } = await eventOf("group.changed", () => post("group", { chat: sharedGroups.family, subject: "Kin" }));
    expect(event.data).toMatchObject({ chat: { id: sharedGroups.family }, change: "subject", value: "Kin", author: { id: jid } });
  });

  it("is what the account's owner has read on the phone", async () => {
    const { said } = await eventOf("message.new", () => post("send", { chat: "bob", text: "read me" }));
    const messageId = said["messageId"];
    const { event } = await eventOf("message.read", () => post("read", { chat: "bob", messageId, inbox: true }));
    expect(event.data).toMatchObject({ chat: { id: bob }, by: "me", ids: [messageId] });
  });
});

describe("what is not a message of a chat", () => {
  it.each([false, true])("a call, video: %s", async (video) => {
    const { event, said } = await eventOf("call.offered", () => post("call", { chat: "bob", video }));
    expect(event.data).toMatchObject({ id: said["callId"], video, group: "", chat: { id: bob } });
  });

  it("a post of a channel", async () => {
    const { event, said } = await eventOf("channel.message.new", () => post("send", { chat: sharedChannels.daily, text: "news" }));
    expect(event.data).toMatchObject({ id: said["messageId"], text: "news", chat: { id: sharedChannels.daily }, fromMe: false });
  });

  it("gives nothing unless it was requested", async () => {
    context.storage.updates?.events.splice(0);
    request(context, ["message.new"]);
    await post("call", { chat: "bob" });
    await post("send", { chat: sharedChannels.daily, text: "news" });
    await post("group", { chat: sharedGroups.family, subject: "Family" });
    await post("send", { chat: "bob", text: "last" });
    expect((await arrived(context, 1)).map(({ data }) => (data as { text: string }).text)).toEqual(["last"]);
  });
});
