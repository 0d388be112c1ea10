import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { slotOf } from "../../shared/contract/slot.js";
import { keys } from "../../shared/redis/keys.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { loggedIn } from "../harness/api.js";
import { goTo, signIn, type ConsolePage } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";
import { placesOf } from "./looks.js";
import { outside } from "./outside.js";
import type { Stage } from "./stage.js";

const screens = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
];

/** Titles of all dialogs of the console. */
const dialogs = [
  "API key created",
  "Choose recipient",
  "Delete 1 session?",
  "Delete message?",
  "Delete session?",
  'Delete tenant "acme"?',
  "Drain shard-1?",
  "Forward message",
  "Log out and relink?",
  "Move 1 session to shard-1?",
  "Move session",
  "New API key",
  "New poll",
  "New tenant",
  "New voice message",
  "Pin slot",
  "Remove proxy?",
  "Replay failed events?",
  "Restart 1 session?",
  "Restart session?",
  'Revoke "backend"?',
  "Switch to key b?",
  "Turn off webhook?",
  "Undrain shard-2?",
  "Unpin slot",
];

/** Tests that nothing is cut off on any page or in any dialog, on a desktop, a tablet and a phone. */
export function fits(stage: () => Stage, session: () => string): void {
  it("cuts off nothing on any page or in any dialog, at 1280, 768 and 360 pixels", async () => {
    const { id, leave } = await furnish(stage());
    try {
      await stage().look((seen) => lookAround(stage(), seen, session(), id), {});
    } finally {
      await leave();
    }
  });
}

async function lookAround(stage: Stage, seen: ConsolePage, session: string, furnished: SessionId): Promise<void> {
  const { page } = seen;
  const wrong: string[] = [];
  const titles = new Set<string>();
  const look = async (what: string): Promise<void> => {
    for (const screen of screens) {
      await page.setViewportSize(screen);
      wrong.push(...(await outside(page)).map((text) => `${what} at ${screen.width}: ${text}`));
    }
  };
  const lookAtDialog = async (place: string): Promise<void> => {
    const title = await page.getByRole("dialog").getByRole("heading", { level: 2 }).innerText();
    titles.add(title.replace(/(slot) \d+.*/, "$1"));
    await look(`${place}, ${title}`);
  };
  const lookAtPage = async (place: string): Promise<void> => {
    await look(place);
    const openers = page.locator('main button[aria-haspopup="dialog"]:enabled');
    for (const label of new Set(await openers.allInnerTexts())) {
      await openers.getByText(label, { exact: true }).first().click();
      await lookAtDialog(place);
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    }
  };
  await look("sign-in");
  await signIn(seen, stage.gateway.adminKey);
  const own = ["", "/webhook", "/dead-letters", "/settings"].map((part) => [`#/sessions/${furnished}${part}`, /./] as const);
  const places = [...placesOf(session), ...own, [`#/slots/${slotOf(furnished)}`, /^Slots/] as const];
  for (const [address, heading] of places) {
    await goTo(seen, address, heading);
    await choose(page);
    await lookAtPage(address);
  }
  await goTo(seen, "#/sessions/bulk", /./);
  await page.getByRole("checkbox").nth(1).check();
  for (const action of ["Restart", "Move", "Delete"]) {
    await page.getByText(action, { exact: true }).click();
    if (action === "Move") await page.getByLabel("Destination shard").selectOption("shard-1");
    await lookAtPage(`bulk ${action}`);
  }
  await goTo(seen, "#/keys", /./);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Tenant" }).fill("acme");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".secret").waitFor();
  await lookAtDialog("#/keys");
  expect(wrong).toEqual([]);
  expect([...titles].sort()).toEqual(dialogs);
}

/** Selects the values that a button requires before it opens its dialog, and shows the buttons of a message. */
async function choose(page: Page): Promise<void> {
  const choices = { "Encrypt with": "b", "Pin to shard": "shard-1" };
  for (const [label, value] of Object.entries(choices)) {
    const select = page.getByLabel(label, { exact: true });
    if (await select.isVisible()) await select.selectOption(value);
  }
  const message = page.getByRole("button", { name: /^Actions: / }).last();
  if (await message.isVisible()) await message.click();
}

/** Creates a session with a proxy, a webhook, a failed event and a pinned slot, and drains a shard: each of them has a dialog. */
async function furnish(stage: Stage): Promise<{ id: SessionId; leave: () => Promise<void> }> {
  const receiver = await WebhookReceiver.start();
  receiver.respond = () => 500;
  const caller = await loggedIn(stage.gateway, "carol");
  const id = caller.credentials.id as SessionId;
  await caller.send("PUT", "/session/webhook", { url: receiver.url, token: "a token of the test" });
  await new TelegramSide(stage.gateway).post("/people/send", { account: "carol", chat: "bob", text: "never taken" });
  await stage.withRedis(async (redis) => {
    const [, fields] = await eventually("an event", async () => (await redis.xrangeBuffer(keys.outbox(id), "-", "+"))[0]);
    await redis.xadd(keys.deadLetters(id), "*", ...fields, "n", "100", "r", "attempts");
  });
  await stage.admin("PUT", `/slots/${slotOf(id)}/pin`, { member: "shard-2" });
  await stage.admin("PUT", `/sessions/${id}/proxy`, { proxy: "http://ann:c0rrect-h0rse@192.0.2.1:3128" });
  await stage.admin("POST", "/members/shard-2/drain");
  return {
    id,
    leave: async () => {
      await stage.admin("POST", "/members/shard-2/undrain");
      await stage.admin("DELETE", `/slots/${slotOf(id)}/pin`);
      await receiver.stop();
    },
  };
}
