import { expect, it } from "vitest";
import type { Locator, Page } from "playwright-core";
import { loggedIn } from "../harness/api.js";
import { goTo, signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";
import type { Stage } from "./stage.js";

const account = "heidi";

/** Tests the tab "Chats": the list, one conversation, and everything that can be done with its messages. */
export function chats(stage: () => Stage, session: () => string): void {
  it.each(["telegram", "whatsapp"] as const)("on %s holds a conversation", (platform) =>
    stage().visit(async (seen) => {
      const { page } = seen;
      const { gateway } = stage();
      const side = platform === "telegram" ? new TelegramSide(gateway) : new WhatsAppSide(gateway);
      const caller = await loggedIn(gateway, account, platform);
      const says = (text: string): Promise<unknown> => side.post("/people/send", { account, chat: "bob", text });
      await says("Are you open on Saturday?");
      await signIn(seen, gateway.adminKey);
      await goTo(seen, `#/sessions/${caller.credentials.id}/chats`, /./);
      const row = page.getByRole("region", { name: "Chats" }).getByRole("link").filter({ hasText: "Are you open on Saturday?" });
      await row.filter({ hasText: "unread" }).waitFor();
      await page.getByLabel("Search chats").fill("bob");
      await row.click();
      await message(page, "Are you open on Saturday?").waitFor();
      await page.getByRole("button", { name: "Mark as read" }).click();
      await row.filter({ hasNotText: "unread" }).waitFor();

      await act(page, "Are you open on Saturday?", "Reply");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.locator(".draft").waitFor({ state: "detached" });
      await act(page, "Are you open on Saturday?", "Reply");
      await page.keyboard.type("Yes, from nine");
      await page.keyboard.press("Enter");
      await message(page, "Yes, from nine").locator("blockquote", { hasText: "Are you open on Saturday?" }).waitFor();
      await act(page, "Yes, from nine", "Edit");
      await page.getByLabel("Message", { exact: true }).fill("Yes, from ten");
      await page.getByRole("button", { name: "Save text" }).click();
      await message(page, "Yes, from ten").filter({ hasText: "edited" }).waitFor();

      await act(page, "Are you open on Saturday?", "React with 👍");
      await message(page, "You reacted 👍").waitFor();
      await act(page, "Are you open on Saturday?", "Remove reaction");
      await message(page, "You reacted").waitFor({ state: "detached" });
      await act(page, "Yes, from ten", "Forward");
      const picker = page.getByRole("dialog", { name: "Forward message" });
      await picker.getByRole("region", { name: "Sandbox people" }).getByRole("button").filter({ hasText: "Carol" }).first().click();
      await page.getByText("Message forwarded").waitFor({ state: "attached" });
      // A new message appears without a reload.
      await says("And on Sunday?");
      await message(page, "And on Sunday?").waitFor();
      await act(page, "Yes, from ten", "Delete");
      await page.getByRole("dialog", { name: "Delete message?" }).getByRole("button", { name: "Delete" }).click();
      await message(page, "Yes, from ten").waitFor({ state: "detached" });

      await sendPoll(page);
      await sendVoice(page);
      const received = JSON.stringify(await side.docs(`/received?platform=${platform}&account=${account}`));
      for (const text of ["Yes, from nine", "Which day suits you?", "Saturday"]) expect(received).toContain(text);
      await caller.send("DELETE", "/session");
    }),
  );

  it("shows why a message was refused, and loads older messages on request", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, `#/sessions/${session()}/chats/-1001900000013`, /./);
      await page.getByRole("article").first().waitFor();
      await page.getByLabel("Message", { exact: true }).fill("Not for this account");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByText("Couldn't send message").waitFor();
      const shown = await page.getByRole("article").count();
      await page.getByRole("button", { name: "Load older" }).click();
      await eventually("more of them", async () => (await page.getByRole("article").count()) > shown);
    }));
}

const message = (page: Page, text: string): Locator => page.getByRole("article").filter({ hasText: text });

/** Opens the actions of a message and presses one of them. */
async function act(page: Page, text: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions: ${text}` }).click();
  await page.getByRole("group", { name: "Message actions" }).getByRole("button", { name: action, exact: true }).click();
}

async function sendPoll(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "New poll" });
  await page.getByRole("button", { name: "Poll", exact: true }).click();
  await dialog.getByLabel("Question").fill("Which day suits you?");
  await dialog.getByLabel("Options").fill("Saturday");
  await dialog.getByRole("button", { name: "Send poll" }).click();
  await dialog.locator(".fault", { hasText: "options must have 2 to 12 elements" }).waitFor();
  await dialog.getByLabel("Options").fill("Saturday\nSunday\n");
  await dialog.getByLabel("Allow several answers").check();
  await dialog.getByRole("button", { name: "Send poll" }).click();
  await dialog.waitFor({ state: "detached" });
}

async function sendVoice(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "New voice message" });
  await page.getByRole("button", { name: "Voice message", exact: true }).click();
  await dialog.getByRole("button", { name: "Use example" }).click();
  await dialog.getByRole("button", { name: "Send voice message" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("article").locator("audio").waitFor();
}
