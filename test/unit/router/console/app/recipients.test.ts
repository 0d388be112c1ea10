import { describe, expect, it } from "vitest";
import { matching, recipientOf, type Recipient } from "../../../../../router/console/app/pages/session/send/recipient-choices.js";
import { isAboutRecipient } from "../../../../../router/console/app/pages/session/send/recipients.js";

const row = (name: string, to: string): Recipient => ({ kind: "phone", to, name });

describe("the recipient picker", () => {
  it("groups recipients, finds them by name, number or id, and hides empty groups", () => {
    const groups = [
      ["Recent", [row("Bob", "+1 555 010 0002")]],
      ["Groups", [row("Family", "-1001"), row("Bobsleigh", "-1002")]],
      ["Sandbox people", []],
    ] as const;
    const texts = (q: string): string[] =>
      matching(q, groups).map(({ title, shown }) => `${title}: ${shown.map(({ name }) => name).join()}`);
    expect(texts("")).toEqual(["Recent: Bob", "Groups: Family,Bobsleigh"]);
    expect(texts("bob")).toEqual(["Recent: Bob", "Groups: Bobsleigh"]);
    expect(texts("5550100002")).toEqual(["Recent: Bob"]);
    expect(texts("nobody")).toEqual([]);
  });

  it("shows the first 30 recipients and the number of all", () => {
    const rows = Array.from({ length: 40 }, (_, index) => row(`Group ${index}`, String(index)));
    const [group] = matching("", [["Groups", rows]]);
    expect([group?.shown.length, group?.count]).toEqual([30, 40]);
  });

  it("fills in the username of a sandbox person, or the phone number", () => {
    const frank = { platform: "telegram", account: "frank", phone: "15550100006", name: "Frank", username: "" } as const;
    expect(recipientOf(frank)).toEqual({ kind: "phone", to: "+15550100006", name: "Frank" });
    expect(recipientOf({ ...frank, username: "frank_sandbox", name: "" })).toEqual({
      kind: "username",
      to: "frank_sandbox",
      name: "frank",
    });
  });
});

it.each([
  ["invalid phone, username, user, group or channel", true],
  ["chat not found", true],
  ["404: item-not-found (the platform does not know this chat or person)", true],
  ["text should not be empty", false],
  ["server busy", false],
])("%s is about the recipient: %s", (sentence, expected) => {
  expect(isAboutRecipient(sentence)).toBe(expected);
});
