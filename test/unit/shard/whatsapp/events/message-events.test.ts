import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../../../../shared/contract/webhook-events.js";
import { isoDate, type MessageEvents } from "../../../../../shard/whatsapp/events/message-events.js";
import type { IncomingStanza } from "../../../../../shard/whatsapp/events/incoming-stanza.js";
import { encryptedEdit } from "./encrypted-edit.js";
import {
  all,
  ann,
  aStanza,
  at,
  bob,
  channel,
  group,
  inChannel,
  inGroup,
  messageEvents,
  received,
  somePeople,
} from "./events-under-test.js";

const { Type } = proto.Message.ProtocolMessage;
const created = new Date(at * 1_000).toISOString();
const text = received({ conversation: "hi" });
const revoke = (fromMe: boolean): proto.IMessage => received({ protocolMessage: { type: Type.REVOKE, key: { id: "M0", fromMe } } });
const edit = (timestampMs: number): proto.IMessage =>
  received({
    protocolMessage: { type: Type.MESSAGE_EDIT, key: { id: "M0", fromMe: true }, editedMessage: { conversation: "new" }, timestampMs },
  });
const reaction = received({ reactionMessage: { key: { id: "M0" }, text: "👍" } });
const location = {
  directPath: "/v/t62/file",
  mediaKey: Buffer.alloc(32, 1),
  fileSha256: Buffer.alloc(32, 2),
  fileEncSha256: Buffer.alloc(32, 3),
};
const image = (more: proto.Message.IImageMessage = {}): proto.IMessage => ({ imageMessage: { ...location, fileLength: 7, ...more } });

async function one(stanza: Partial<IncomingStanza>, message: proto.IMessage, events: MessageEvents = messageEvents()) {
  const [event, ...rest] = await events.of(aStanza(stanza), message, all);
  expect(rest).toEqual([]);
  return event;
}

describe("an event of a message", () => {
  it.each<[string, Partial<IncomingStanza>, proto.IMessage, EventType | undefined]>([
    ["private", {}, text, "message.new"],
    ["private", { fromMe: true }, text, "message.new"],
    ["private", {}, edit(1), "message.edited"],
    ["private", {}, revoke(true), "message.deleted"],
    ["private, by somebody who is not the author", {}, revoke(false), undefined],
    ["private", {}, reaction, "message.reaction"],
    ["group", inGroup, text, "group.message.new"],
    ["group", inGroup, edit(1), "group.message.edited"],
    ["group", inGroup, revoke(true), "group.message.deleted"],
    ["group, by an administrator", { ...inGroup, asAdmin: true }, revoke(false), "group.message.deleted"],
    ["group, by a member who claims to be an administrator", inGroup, revoke(false), undefined],
    ["group", inGroup, reaction, "message.reaction"],
    ["channel", inChannel, text, "channel.message.new"],
    ["channel", inChannel, edit(1), undefined],
    ["channel", inChannel, revoke(true), undefined],
    ["channel", inChannel, reaction, undefined],
    ["private", {}, received({ senderKeyDistributionMessage: { groupId: "g" } }), undefined],
  ])("%s: %# has its type", async (_, stanza, message, type) => {
    expect((await one(stanza, message))?.type).toBe(type);
  });

  it("is absent if the receiver does not get its type", async () => {
    const events = messageEvents();
    expect(await events.of(aStanza(), text, new Set(["group.message.new"]))).toEqual([]);
    expect(await events.of(aStanza(inGroup), text, new Set(["message.new"]))).toEqual([]);
    expect(await events.unreadable(aStanza(), new Set())).toEqual([]);
  });

  it("of a private chat has no author, that of a group has", async () => {
    const alone = await one({}, text);
    expect(alone).toMatchObject({
      created,
      data: { id: "M1", chat: { id: ann, name: "Ann" }, fromMe: false, created, edited: "", text: "hi" },
    });
    expect(alone?.data).not.toHaveProperty("author");
    expect(await one({ ...inGroup, author: bob, pushName: "Bob" }, text)).toMatchObject({
      data: { chat: { id: group, name: "Family" }, author: { id: bob, name: "Bob", lid: bob } },
    });
    expect(await one(inChannel, text)).toMatchObject({ data: { chat: { id: channel, name: "" } } });
    expect(await one({ ...inGroup, author: bob }, revoke(true))).toMatchObject({ data: { author: { id: bob }, ids: ["M0"] } });
    expect(await one({ fromMe: true }, reaction)).toMatchObject({ data: { fromMe: true, messageId: "M0", emoji: "👍" } });
  });

  it("has an id of its chat, author and message alone", async () => {
    const events = messageEvents();
    const id = events.idOf(aStanza());
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(events.idOf(aStanza({ at: 1, pushName: "Other", otherJid: bob, username: "x" }))).toBe(id);
    for (const other of [{ id: "M2" }, { chat: bob }, { author: bob }]) expect(events.idOf(aStanza(other))).not.toBe(id);
    const [read] = await events.of(aStanza(), text, all);
    const [unread] = await events.unreadable(aStanza(), all);
    expect([read?.id, unread?.id]).toEqual([id, id]);
  });

  it.each([1, 8.64e15, 0])("of an edit has the platform's time, whatever the sender says: %d", async (ms) => {
    const event = await one({}, edit(ms));
    expect(event).toMatchObject({ created, data: { id: "M0", text: "new" } });
    expect((event?.data as { edited: string }).edited).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it("has a link to its file", async () => {
    const message = received({ ephemeralMessage: { message: image({ mimetype: "image/png" }) } });
    expect(await one({}, message)).toMatchObject({ data: { type: "image", url: "file:M1", mimetype: "image/png", size: 7 } });
    expect(await one({}, text)).toMatchObject({ data: { url: "", thumbnail: "", mimetype: "", name: "", size: 0 } });
    const sticker = received({ lottieStickerMessage: { message: { stickerMessage: location } } });
    expect(await one({}, sticker)).toMatchObject({ data: { type: "sticker", url: "file:M1" } });
  });

  it.each<[string, proto.IMessage]>([
    ["a wrapper", { viewOnceMessageV2: { message: image() } }],
    ["a wrapper within another", { associatedChildMessage: { message: { viewOnceMessage: { message: image() } } } }],
    ["a flag", image({ viewOnce: true })],
    [
      "an edit",
      {
        protocolMessage: {
          type: Type.MESSAGE_EDIT,
          key: { id: "M0", fromMe: true },
          editedMessage: { viewOnceMessage: { message: image() } },
        },
      },
    ],
  ])("never has a link to what may be viewed once: %s", async (_, message) => {
    expect(await one({}, received(message))).toMatchObject({ data: { viewOnce: true, type: "other", url: "", thumbnail: "", size: 0 } });
  });

  it("is one without content if the message cannot be described", async () => {
    const hostile = Object.defineProperty({}, "protocolMessage", {
      enumerable: true,
      get: () => {
        throw new Error("cannot be read");
      },
    });
    expect(await one({}, hostile)).toMatchObject({ type: "message.new", data: { id: "M1", type: "other", text: "" } });
  });

  it("has its ref if the receiver gets it, and a packed head if the history alone does", async () => {
    const events = messageEvents(somePeople(), true);
    const refOf = async (requested: ReadonlySet<EventType>): Promise<unknown> => {
      const [event] = await events.of(aStanza(), text, requested);
      const { ref, head } = event?.data as { ref?: string; head?: string };
      return [event?.to, ref?.split(" ")[0], head?.split(" ")[0]];
    };
    expect(await refOf(all)).toEqual(["both", "ref", undefined]);
    expect(await refOf(new Set())).toEqual(["history", undefined, "head"]);
  });

  it("fails while the stored names cannot be read, so that the message is delivered again", async () => {
    const events = messageEvents(somePeople({ book: { findOne: () => Promise.reject(new Error("redis is away")) } }));
    await expect(events.of(aStanza(), text, all)).rejects.toThrow("redis is away");
  });
});

describe("an edit that a phone has encrypted", () => {
  const secret = Buffer.alloc(32, 7);
  const sealed = encryptedEdit({ id: "M0", secret, author: ann }, { conversation: "new" });
  const written = received({ conversation: "hi", messageContextInfo: { messageSecret: secret } });
  const unread = { type: "message.edited", data: { id: "M0", type: "other", text: "", fromMe: false } };

  it("has the text that the message's secret opens", async () => {
    const events = messageEvents(somePeople(), true, (id) => Promise.resolve(id === "M0" ? [Buffer.alloc(32), secret] : []));
    expect(await one({}, sealed, events)).toMatchObject({ type: "message.edited", to: "both", data: { id: "M0", text: "new" } });
    expect(await events.of(aStanza(), sealed, new Set())).toMatchObject([{ to: "history", data: { text: "new" } }]);
    expect(await one(inGroup, sealed, events)).toMatchObject({ type: "group.message.edited", data: { text: "new" } });
  });

  it("is reported without its text if no secret opens it, and the history keeps the message", async () => {
    const events = messageEvents(somePeople(), true, () => Promise.resolve([secret]));
    const byBob = { chat: bob, author: bob };
    expect(await one(byBob, sealed, events)).toMatchObject(unread);
    expect((await one(byBob, sealed, events))?.to).toBeUndefined();
    expect(await events.of(aStanza(byBob), sealed, new Set())).toEqual([]);
    expect(await one({}, sealed)).toMatchObject(unread);
  });

  it("is delivered again if the secret cannot be read now", async () => {
    const events = messageEvents(somePeople(), true, () => Promise.reject(new Error("redis is away")));
    await expect(events.of(aStanza(), sealed, all)).rejects.toThrow("redis is away");
    expect(await events.of(aStanza(inChannel), sealed, all)).toEqual([]);
  });

  it("finds the secret in what the history keeps of the message, which the receiver does not get", async () => {
    const events = messageEvents(somePeople(), true);
    const event = await one({ id: "M0" }, written, events);
    expect(event).toMatchObject({ data: { id: "M0", text: "hi" }, secret: secret.toString("base64") });
    expect(event?.data).not.toHaveProperty("secret");
    expect((await one({}, text, events))?.secret).toBeUndefined();
    expect((await one({}, written))?.secret).toBeUndefined();
  });
});

describe("a time", () => {
  it.each([Number.NaN, -1, 0, 1.5, Number.POSITIVE_INFINITY, 253_402_300_800_000, Number.MAX_SAFE_INTEGER])(
    "that is invalid counts as now: %d",
    (ms) => {
      expect(Math.abs(Date.parse(isoDate(ms)) - Date.now())).toBeLessThan(5_000);
    },
  );

  it("has four digits of a year at most", () => {
    expect([isoDate(at * 1_000), isoDate(253_402_300_799_999)]).toEqual([created, "9999-12-31T23:59:59.999Z"]);
  });
});
