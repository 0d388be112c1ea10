import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loggedIn, request } from "../harness/api.js";
import { openConsole, signIn, startBrowser, type ConsolePage } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";

/** What a person does in the console, on both platforms, from the sign-in to the sign-out. */
let gateway: Gateway;
let origin: string;
let browser: Browser;
let seen: ConsolePage;
let page: Page;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway({ shards: 1 }), startBrowser()]);
  origin = new URL(gateway.telegram[0] ?? "").origin;
  await loggedIn(gateway, "alice");
});
afterAll(() => Promise.all([browser.close(), gateway.stop()]));
beforeEach(async () => {
  seen = await openConsole(browser, origin);
  page = seen.page;
});
afterEach(async () => {
  await seen.close();
  expect(seen.faults).toEqual([]);
});

const people = {
  telegram: { name: "Telegram", to: "bob_sandbox", group: "Groups", story: "Story" },
  whatsapp: { name: "WhatsApp", to: "15550200002", group: "Groups", story: "Story" },
} as const;

describe.each(["telegram", "whatsapp"] as const)("on %s somebody", (platform) => {
  const { name, to } = people[platform];

  it("logs an account in, sends, posts, looks around and leaves", async () => {
    await signIn(seen, gateway.adminKey);
    await page.getByRole("link", { name: "New session" }).first().click();
    await page.getByText(name, { exact: true }).click();
    await page.getByLabel("Label").fill(`made in ${name}`);
    await page.getByRole("button", { name: "Create session" }).click();
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    await page.getByLabel("Account").selectOption("alice");
    await page.getByRole("button", { name: "Scan with alice" }).click();
    // Told by events: nobody loads the page again.
    await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Send", exact: true }).click();
    await page.getByLabel("Recipient").fill(to);
    await page.getByLabel("Text", { exact: true }).last().fill(`Hello from the console to ${name}`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted by the platform").waitFor();
    await page.getByText("Image", { exact: true }).click();
    await page.getByRole("button", { name: "Fill in a sample" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Accepted by the platform").waitFor();
    const received = async (account: string): Promise<string> =>
      JSON.stringify((await request(`${gateway.sandbox}/received?platform=${platform}&account=${account}`)).body);
    await eventually("both messages at the platform", async () => {
      const all = await received("alice");
      return all.includes(`Hello from the console to ${name}`) && all.includes("A picture");
    });

    await page.getByRole("link", { name: "Story", exact: true }).click();
    await page.getByLabel("Text", { exact: true }).last().fill("A story from the console");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.getByText("Posted", { exact: true }).waitFor();

    await page.getByRole("link", { name: "Groups", exact: true }).click();
    await page.getByRole("region", { name: "Groups" }).getByRole("link").first().click();
    await page.getByRole("region", { name: "Members" }).getByRole("listitem").first().waitFor();
    await page.getByRole("link", { name: "Channels", exact: true }).click();
    await page.getByRole("region", { name: "Channels" }).getByRole("link").first().click();
    await page.getByRole("article").first().waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify((globalThis as unknown as { sessionStorage: object }).sessionStorage))).not.toContain(
      gateway.adminKey,
    );
    expect(page.url()).not.toContain(gateway.adminKey);
  });
});

it("a film of a channel plays by ranges, and not before somebody wants it", async () => {
  await signIn(seen, gateway.adminKey);
  const answers: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/media/") && response.request().resourceType() === "media") answers.push(response.status());
  });
  await page
    .getByRole("region", { name: "Sessions" })
    .getByRole("link", { name: /Telegram/ })
    .first()
    .click();
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await page.goto(`${page.url()}/-1001900000016`);
  const film = page.locator('video[width="720"]').first(); // The others are as large as films and no films.
  await film.waitFor();
  expect(answers).toEqual([]);
  await film.evaluate((element) => (element as unknown as { play: () => Promise<void> }).play());
  await eventually(
    "a film that plays",
    async () => (await film.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)) > 0,
  );
  expect(new Set(answers)).toEqual(new Set([206]));
});

it("by keyboard alone: sign in, find a session, look at it", async () => {
  await page.getByLabel("API key").waitFor();
  await page.keyboard.type(gateway.adminKey);
  await page.keyboard.press("Enter");
  const list = page.getByRole("region", { name: "Sessions" });
  await list.getByRole("link").first().waitFor();
  await tabTo("Skip to the page");
  await page.keyboard.press("Enter");
  await tabTo("Search");
  await page.keyboard.type("alice");
  await eventually("the sessions that fit", async () => (await list.getByRole("link").count()) >= 1 && page.url().includes("q=alice"));
  await tabTo(/Alice/);
  await page.keyboard.press("Enter");
  await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();
  const focused = (): Promise<string | undefined> =>
    page.evaluate(() => (globalThis as unknown as Focused).document.activeElement?.tagName);
  await eventually("the focus on the heading", async () => (await focused()) === "H1");
});

interface Focused {
  document: {
    activeElement: { tagName: string; textContent: string; labels?: { textContent: string }[] | null; ariaLabel: string | null } | null;
  };
}

/** What has the focus says who it is, within as many steps as a page has. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => {
      const { activeElement: now } = (globalThis as unknown as Focused).document;
      // A list around it has the same words.
      return now === null || now.tagName === "DIV"
        ? ""
        : [now.ariaLabel ?? "", ...[...(now.labels ?? [])].map((label) => label.textContent), now.textContent].join(" ");
    });
    if (typeof name === "string" ? text.includes(name) : name.test(text)) return;
  }
  throw new Error(`the Tab key does not lead to ${String(name)}`);
}
