import { Api } from "telegram";
import { describe, expect, test } from "vitest";
import { isOutgoing, isWrittenBySelf } from "../../../../../shard/telegram/chats/outgoing.js";
import { aMessage, bob } from "../updates/packets.js";

/** The account's chat with itself has the same id as the account. */
const self = bob;
const other = "1";
const fwdFrom = new Api.MessageFwdHeader({ date: 0 });

describe("whether a message is the account's own", () => {
  test.each([
    ["a sent message", aMessage({ out: true }), other, { sent: true, written: true }],
    ["a received message", aMessage(), other, { sent: false, written: false }],
    ["a message to oneself, which the platform does not mark", aMessage(), self, { sent: true, written: true }],
    ["a message that was forwarded to oneself", aMessage({ fwdFrom }), self, { sent: true, written: false }],
    ["a forward to somebody else", aMessage({ out: true, fwdFrom }), other, { sent: true, written: true }],
  ])("%s", (_name, message, account, { sent, written }) => {
    expect(isOutgoing(message, account)).toBe(sent);
    expect(isWrittenBySelf(message, account)).toBe(written);
  });
});
