import { describe, expect, it } from "vitest";
import { actionsOf, chatName, recipientField, summaryOf } from "../../../../../router/console/app/pages/session/chats/chat-rows.js";

describe("the field that names a chat", () => {
  it.each([
    ["telegram", "5100000001", "user"],
    ["telegram", "-1001900000016", "group"],
    ["whatsapp", "15550200002@s.whatsapp.net", "user"],
    ["whatsapp", "100000000000002@lid", "user"],
    ["whatsapp", "120363000000000001@g.us", "group"],
    ["whatsapp", "120363000000000001@newsletter", "newsletter"],
  ] as const)("on %s of %s is %s", (platform, chat, field) => {
    expect(recipientField(platform, chat)).toBe(field);
  });
});

const chat = { id: "5100000001", name: "", username: "", phone: "", lid: "", thumbnail: "" };

it.each([
  [{ name: "Bob" }, "Bob"],
  [{ username: "bob_sandbox", phone: "15550100002" }, "@bob_sandbox"],
  [{ phone: "15550100002" }, "+15550100002"],
  [{}, "5100000001"],
])("names a chat with %j %s", (known, name) => {
  expect(chatName({ ...chat, ...known })).toBe(name);
});

const message = { type: "text", text: "", voice: false, name: "" } as const;

it.each([
  [{ text: "a\n  b" }, "a b"],
  [{ type: "image", text: "Menu" }, "Menu"],
  [{ type: "image" }, "Photo"],
  [{ type: "audio", voice: true }, "Voice message"],
  [{ type: "document", name: "a.pdf" }, "a.pdf"],
  [{ type: "poll", text: "When?" }, "Poll: When?"],
  [{ type: "other", poll: { question: "When?", options: [], multiple: false } }, "Poll: When?"],
  [{ type: "other" }, "Unsupported message"],
] satisfies [Partial<Parameters<typeof summaryOf>[0]>, string][])("sums up the message %j as %s", (fields, text) => {
  expect(summaryOf({ ...message, ...fields })).toBe(text);
});

it.each([
  ["whatsapp", "1@lid", { fromMe: true }, { edit: true, remove: true, forward: true }],
  ["whatsapp", "1@lid", { fromMe: true, type: "image" }, { edit: false, remove: true, forward: true }],
  ["whatsapp", "1@lid", { fromMe: false }, { edit: false, remove: false, forward: true }],
  ["whatsapp", "1@g.us", { fromMe: false, ref: "" }, { edit: false, remove: true, forward: false }],
  ["telegram", "5100000001", { fromMe: true, type: "image" }, { edit: true, remove: true, forward: true }],
  ["telegram", "5100000001", { fromMe: true, type: "image", text: "" }, { edit: false, remove: true, forward: true }],
  ["telegram", "5100000001", { fromMe: false }, { edit: false, remove: true, forward: true }],
] as const)("offers on %s in %s for %j: %j", (platform, id, fields, offered) => {
  expect(actionsOf({ platform }, id, { type: "text", text: "Hi", ref: "sealed", ...fields })).toEqual(offered);
});
