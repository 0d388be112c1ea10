import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { readContent } from "../../../../../shard/whatsapp/events/read-content.js";
import { received } from "./events-under-test.js";

const { Type } = proto.Message.ProtocolMessage;
const imageMessage = { caption: "look", mimetype: "image/jpeg" };
const image: proto.IMessage = { imageMessage };
const edit = (key: proto.IMessageKey, editedMessage?: proto.IMessage): proto.IMessage => ({
  protocolMessage: { type: Type.MESSAGE_EDIT, key, timestampMs: 1_790_000_000_123, ...(editedMessage && { editedMessage }) },
});
const own = { id: "M0", fromMe: true };

describe("a message", () => {
  it.each<[string, proto.IMessage]>([
    ["of a disappearing chat", { ephemeralMessage: { message: image } }],
    ["with a caption", { documentWithCaptionMessage: { message: image } }],
    ["of an album", { associatedChildMessage: { message: image } }],
    ["to a bot", { botInvokeMessage: { message: image } }],
    ["that mentions a group", { groupMentionedMessage: { message: image } }],
    ["from another device of the account", { deviceSentMessage: { message: { ephemeralMessage: { message: image } } } }],
  ])("is read within its wrapper: %s", (_, message) => {
    expect(readContent(received(message))).toMatchObject({ kind: "message", message: { imageMessage }, viewOnce: false });
  });

  it.each<[string, proto.IMessage]>([
    ["of a disappearing chat", { ephemeralMessage: { message: image } }],
    ["of the account's other device", { deviceSentMessage: { message: image } }],
  ])("keeps its album when the wrapper names it: %s", (_, wrapper) => {
    const messageContextInfo = { messageAssociation: { associationType: 1, parentMessageKey: { id: "A1" } } };
    expect(readContent(received({ ...wrapper, messageContextInfo }))).toMatchObject({ message: { imageMessage, messageContextInfo } });
  });

  const once = { imageMessage: { ...imageMessage, viewOnce: true } };
  it.each<[string, proto.IMessage]>([
    ["the first wrapper", { viewOnceMessage: { message: image } }],
    ["the second wrapper", { viewOnceMessageV2: { message: image } }],
    ["the extension", { viewOnceMessageV2Extension: { message: image } }],
    ["a disappearing chat", { ephemeralMessage: { message: { viewOnceMessageV2: { message: image } } } }],
    ["an album", { associatedChildMessage: { message: { viewOnceMessage: { message: image } } } }],
    ["a group status", { groupStatusMessageV2: { message: { viewOnceMessage: { message: image } } } }],
    ["the account's other device", { deviceSentMessage: { message: { viewOnceMessage: { message: image } } } }],
    ["its own flag", once],
    ["its own flag in a wrapper", { documentWithCaptionMessage: { message: once } }],
    ["a round video", { ptvMessage: { viewOnce: true } }],
    ["a voice message", { audioMessage: { viewOnce: true } }],
    ["a wrapper around another wrapper", { viewOnceMessage: { message: { ephemeralMessage: { message: image } } } }],
  ])("may be viewed once: %s", (_, message) => {
    expect(readContent(received(message))).toMatchObject({ kind: "message", viewOnce: true });
  });

  it("in too many wrappers is not unwrapped to the end", () => {
    let message: proto.IMessage = image;
    for (let depth = 0; depth < 50; depth++) message = { ephemeralMessage: { message } };
    const content = readContent(received(message));
    expect(content).toMatchObject({ kind: "message", message: { ephemeralMessage: {} } });
    expect(content?.kind === "message" && content.message.imageMessage).toBeFalsy();
  });

  it.each<[string, proto.IMessage]>([
    ["nothing", {}],
    ["an empty wrapper", { ephemeralMessage: {} }],
    ["a group's key", { senderKeyDistributionMessage: { groupId: "g" } }],
    ["a group's fast key", { fastRatchetKeySenderKeyDistributionMessage: { groupId: "g" } }],
    ["an album's header", { albumMessage: { expectedImageCount: 2 } }],
    ["a vote", { pollUpdateMessage: {} }],
    ["an encrypted reaction", { encReactionMessage: {} }],
    ["a pin", { pinInChatMessage: {} }],
    ["context alone", { messageContextInfo: {} }],
    ["a call", { call: {} }],
  ])("shows nothing in a chat: %s", (_, message) => {
    expect(readContent(received(message))).toBeUndefined();
  });

  it("that carries a group's key too is read", () => {
    expect(readContent(received({ senderKeyDistributionMessage: { groupId: "g" }, conversation: "hi" }))).toMatchObject({
      kind: "message",
      message: { conversation: "hi" },
    });
  });
});

describe("an edit", () => {
  it.each<[string, proto.IMessage]>([
    ["plain", edit(own, { conversation: "new" })],
    ["in a wrapper", { editedMessage: { message: edit(own, { conversation: "new" }) } }],
    ["in two wrappers", { ephemeralMessage: { message: { editedMessage: { message: edit(own, { conversation: "new" }) } } } }],
    ["of a wrapped message", edit(own, { ephemeralMessage: { message: { conversation: "new" } } })],
    ["from the account's other device", { deviceSentMessage: { message: edit(own, { conversation: "new" }) } }],
  ])("is read: %s", (_, message) => {
    expect(readContent(received(message))).toMatchObject({
      kind: "edited",
      id: "M0",
      message: { conversation: "new" },
      viewOnce: false,
      at: 1_790_000_000_123,
    });
  });

  it("to a message that may be viewed once is marked as such", () => {
    expect(readContent(received(edit(own, { viewOnceMessage: { message: image } })))).toMatchObject({ kind: "edited", viewOnce: true });
  });

  it.each<[string, proto.IMessage]>([
    ["by somebody who is not the author", edit({ id: "M0", fromMe: false }, { conversation: "forged" })],
    ["without a key", { protocolMessage: { type: Type.MESSAGE_EDIT, editedMessage: { conversation: "new" } } }],
    ["without an id", edit({ fromMe: true }, { conversation: "new" })],
    ["without content", edit(own)],
  ])("is dropped: %s", (_, message) => {
    expect(readContent(received(message))).toBeUndefined();
  });

  it("without a time has time 0", () => {
    const protocolMessage = { type: Type.MESSAGE_EDIT, key: own, editedMessage: { conversation: "new" } };
    expect(readContent(received({ protocolMessage }))).toMatchObject({ kind: "edited", at: 0 });
  });
});

describe("the second upload of a file", () => {
  const uploaded = (associationType: number, parentMessageKey: proto.IMessageKey): proto.IMessage =>
    received({
      associatedChildMessage: { message: image },
      messageContextInfo: { messageAssociation: { associationType, parentMessageKey } },
    });

  it.each([
    ["a picture", 10],
    ["a video", 5],
    ["a video in another format", 19],
  ])("replaces the first one: %s", (_, type) => {
    expect(readContent(uploaded(type, own))).toMatchObject({ kind: "edited", id: "M0", message: { imageMessage }, at: 0 });
    expect(readContent(received({ deviceSentMessage: { message: uploaded(type, own) } }))).toMatchObject({ kind: "edited", id: "M0" });
  });

  it.each<[string, number, proto.IMessageKey]>([
    ["of a message of somebody else", 10, { id: "M0", fromMe: false }],
    ["of no message", 10, { fromMe: true }],
    ["in an album", 1, own],
    ["of another kind", 12, own],
  ])("is a message of its own: %s", (_, type, key) => {
    expect(readContent(uploaded(type, key))).toMatchObject({ kind: "message", message: { imageMessage } });
  });
});

describe("a deletion", () => {
  it.each([
    [true, { id: "M0", fromMe: true }],
    [false, { id: "M0", fromMe: false }],
    [false, { id: "M0" }],
  ])("says whether its sender claims to be the author: %s", (ofAuthor, key) => {
    const protocolMessage = { type: Type.REVOKE, key };
    expect(readContent(received({ protocolMessage }))).toEqual({ kind: "deleted", id: "M0", ofAuthor });
    expect(readContent(received({ ephemeralMessage: { message: { protocolMessage } } }))).toEqual({ kind: "deleted", id: "M0", ofAuthor });
  });

  it("without an id is dropped, and so are other messages of the protocol", () => {
    expect(readContent(received({ protocolMessage: { type: Type.REVOKE, key: {} } }))).toBeUndefined();
    expect(readContent(received({ protocolMessage: { type: Type.EPHEMERAL_SETTING, key: { id: "M0" } } }))).toBeUndefined();
  });
});

describe("a reaction", () => {
  it("has an empty emoji when it was removed", () => {
    expect(readContent(received({ reactionMessage: { key: { id: "M0" }, text: "👍" } }))).toEqual({
      kind: "reaction",
      id: "M0",
      emoji: "👍",
    });
    expect(readContent(received({ reactionMessage: { key: { id: "M0" } } }))).toEqual({ kind: "reaction", id: "M0", emoji: "" });
  });

  it("to no message is dropped", () => {
    expect(readContent(received({ reactionMessage: { text: "👍" } }))).toBeUndefined();
  });
});
