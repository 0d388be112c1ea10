import { expect, it } from "vitest";
import { messageLine } from "../../../../../deploy/cli/chat/message-line.js";
import { NewMessages } from "../../../../../deploy/cli/chat/new-messages.js";

const message = {
  id: "7",
  created: "2026-11-27T19:00:00.000Z",
  fromMe: false,
  chat: { id: "5100000002", name: "" },
  type: "text",
  text: "Hello",
  name: "",
  url: "",
  voice: false,
};

it.each([
  [{}, "5100000002: Hello"],
  [{ fromMe: true, text: "two\nlines" }, "you: two lines"],
  [{ author: { id: "9", name: "Bob" } }, "Bob: Hello"],
  [{ author: { id: "9", name: "\u001b[2JEve" } }, " [2JEve: Hello"],
  [{ type: "audio", voice: true, text: "", url: "http://h/v" }, "5100000002: [voice] http://h/v"],
  [{ type: "other", text: "", poll: { question: "When?" } }, "5100000002: [poll] When?"],
  [{ type: "poll", text: "When?", poll: {} }, "5100000002: [poll] When?"],
  [{ type: "document", name: "a.pdf", text: "Menu" }, "5100000002: [document a.pdf] Menu"],
])("prints a message with %j as %s", (fields, text) => {
  expect(messageLine({ ...message, ...fields })).toBe(`2026-11-27T19:00:00.000Z  7  ${text}`);
});

it("finds what is new in each page, once and oldest first, without what was sent here", () => {
  const messages = new NewMessages<{ id: string }>();
  const fresh = (page: string): string =>
    messages
      .of([...page].map((id) => ({ id })))
      .map(({ id }) => id)
      .join("");
  expect(fresh("cba")).toBe("abc");
  messages.leaveOut("d");
  expect(fresh("edcb")).toBe("e");
  // A deleted message lets older ones into the page, which are not new.
  expect(fresh("ecb0")).toBe("");
  expect(fresh("zyx")).toBe("xyz");
});

it("prints no terminal commands of an id, which its sender chooses", () => {
  expect(messageLine({ ...message, id: "\u001b[2J" })).toBe("2026-11-27T19:00:00.000Z   [2J  5100000002: Hello");
});
