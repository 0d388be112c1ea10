import { describe, expect, test } from "vitest";
import { parseChatReference } from "../../../../shared/contract/telegram/chat-reference.js";
import { channelMark, chatMark, splitMarkedId } from "../../../../shard/telegram/chats/chat-reference.js";

describe("parseChatReference", () => {
  test.each([
    ["-1001900000001", { kind: "id", id: "-1001900000001" }],
    ["5100000001", { kind: "id", id: "5100000001" }],
    ["-100123", { kind: "id", id: "-100123" }],
    ["durov", { kind: "username", username: "durov" }],
    ["@Durov", { kind: "username", username: "durov" }],
    ["t.me/durov", { kind: "username", username: "durov" }],
    ["https://t.me/durov/", { kind: "username", username: "durov" }],
    ["http://telegram.me/durov?start=1", { kind: "username", username: "durov" }],
    ["https://telegram.dog/Durov", { kind: "username", username: "durov" }],
    ["tg://resolve?domain=durov", { kind: "username", username: "durov" }],
    ["tg://resolve?domain=durov&start=1", { kind: "username", username: "durov" }],
    ["tg://resolve?start=1&domain=Durov", { kind: "username", username: "durov" }],
    ["https://durov.t.me", { kind: "username", username: "durov" }],
    ["Durov.t.me/?start=1", { kind: "username", username: "durov" }],
    ["https://t.me/s/durov", { kind: "username", username: "durov" }],
    [" durov_9 ", { kind: "username", username: "durov_9" }],
    ["@nick", { kind: "username", username: "nick" }],
    ["t.me/durov/12", { kind: "username", username: "durov" }],
    ["https://t.me/durov/3/12?single", { kind: "username", username: "durov" }],
    ["https://t.me/s/durov/12", { kind: "username", username: "durov" }],
    ["durov.t.me/12", { kind: "username", username: "durov" }],
    ["https://t.me/c/1900000001/34", { kind: "id", id: "-1001900000001" }],
    ["t.me/c/1900000001", { kind: "id", id: "-1001900000001" }],
    ["\u2068@durov\u2069", { kind: "username", username: "durov" }],
    ["du\u200brov\ufeff", { kind: "username", username: "durov" }],
    ["\u200ehttps://t.me/durov\u00ad", { kind: "username", username: "durov" }],
    ["\u202a-1001900000001\u202c", { kind: "id", id: "-1001900000001" }],
    ["t.me/nick", { kind: "username", username: "nick" }],
  ])("reads %s", (text, expected) => {
    expect(parseChatReference(text)).toEqual(expected);
  });

  test.each([
    "",
    "@",
    "abc",
    "1abcde",
    "has space",
    "double__underscore",
    "ends_",
    "a".repeat(33),
    "t.me/+AbCdEf",
    "t.me/s/",
    "t.me/durov/about",
    "t.me/c/durov/1",
    "t.me/durov/1/2/3",
    "\u200b",
    "www.t.me",
    "durov.telegram.me",
    "tg://resolve?phone=4915112345678",
    "https://example.com/durov",
    "-0",
    "0",
    "99999999999999999",
    "имяимя",
  ])("refuses %j", (text) => {
    expect(() => parseChatReference(text)).toThrow("invalid chat");
  });
});

describe("marked ids", () => {
  test.each([
    ["123", "user", "123"],
    ["-123", "chat", "123"],
    ["-100123", "chat", "100123"],
    ["-999999999999", "chat", "999999999999"],
    ["-1000000000000", "channel", "0"],
    ["-1001900000001", "channel", "1900000001"],
  ])("%s is a %s", (id, kind, bareId) => {
    expect(splitMarkedId(id)).toEqual({ kind, bareId });
  });

  test("marks back", () => {
    expect(channelMark(1_900_000_001)).toBe("-1001900000001");
    expect(chatMark(100_123)).toBe("-100123");
  });
});
