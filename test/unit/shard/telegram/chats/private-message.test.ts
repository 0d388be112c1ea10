import { Api } from "telegram";
import bigInt from "big-integer";
import { describe, expect, test } from "vitest";
import { toPrivateMessage } from "../../../../../shard/telegram/chats/private-message.js";
import { aMessage, bob } from "../updates/packets.js";

const chat = { id: bob, name: "Bob", username: "", phone: "", thumbnail: "" };

describe("replyTo", () => {
  /** The library writes null for fields that the platform left out. */
  const replyTo = (fields: ConstructorParameters<typeof Api.MessageReplyHeader>[0]): string =>
    toPrivateMessage(
      aMessage({ replyTo: Object.assign(new Api.MessageReplyHeader({}), { replyToTopId: null, replyToPeerId: null }, fields) }),
      chat,
      false,
      () => "",
    ).replyTo;

  test.each<[string, ConstructorParameters<typeof Api.MessageReplyHeader>[0], string]>([
    ["a reply", { replyToMsgId: 12 }, "12"],
    ["a reply in a topic", { forumTopic: true, replyToMsgId: 12, replyToTopId: 7 }, "12"],
    ["a message of a topic that replies to no message", { forumTopic: true, replyToMsgId: 7 }, ""],
    ["a comment on a comment", { replyToMsgId: 12, replyToTopId: 7 }, "12"],
    ["a reply to a message of another chat", { replyToMsgId: 12, replyToPeerId: new Api.PeerUser({ userId: bigInt(1) }) }, ""],
    ["a reply to a quote without its message", {}, ""],
  ])("%s", (_name, fields, expected) => {
    expect(replyTo(fields)).toBe(expected);
  });
});
