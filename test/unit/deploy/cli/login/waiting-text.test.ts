import { expect, it } from "vitest";
import { waitingText } from "../../../../../deploy/cli/login/waiting-text.js";

const session = { id: "6b0950a4741613e45460db6e", platform: "whatsapp" } as const;

it("says what it waits for, and names the command that shows the reason after a long wait", () => {
  expect(waitingText(session, 0)).toBe("Connecting to WhatsApp…");
  expect(waitingText(session, 14_000)).toBe("Connecting to WhatsApp…");
  expect(waitingText(session, 15_000)).toContain("trunkline session show 6b0950a4741613e45460db6e");
});
