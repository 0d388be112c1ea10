import { expect, it } from "vitest";
import type { Page } from "playwright-core";
import { makeSignInCode } from "../../shared/tenant/sign-in-code.js";
import { goTo, signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import type { Stage } from "./stage.js";

/** Tests of everything around the pages: sign-in, menu, keyboard and network. */
export function around(stage: () => Stage): void {
  it("signs in once by the link of npm start, at any router, and explains a second use", async () => {
    const code = await stage().withRedis(makeSignInCode);
    const link = `${stage().elsewhere}/console#code=${code}`;
    await stage().visit(
      async ({ page }) => {
        await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
        expect(page.url()).not.toContain(code);
        // The same tab opens the link again and stays signed in.
        await page.goto(link);
        await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      },
      {},
      link,
    );
    await stage().visit(
      async ({ page }) => {
        await page.getByText("This sign-in link has expired or was already used.").waitFor();
        await page.getByLabel("API key").waitFor();
        expect(page.url()).not.toContain(code);
      },
      {},
      `${stage().origin}/console#code=${code}`,
    );
  });

  it("signs in, finds a session and opens it by keyboard", () =>
    stage().visit(async ({ page }) => {
      await page.getByLabel("API key").waitFor();
      await page.keyboard.type(stage().gateway.adminKey);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await tabTo(page, /^\s*Sessions$/);
      await page.keyboard.press("Enter");
      const list = page.getByRole("region", { name: "Sessions" });
      await list.getByRole("link").first().waitFor();
      await tabTo(page, "Skip to main content");
      await page.keyboard.press("Enter");
      await tabTo(page, "Search");
      await page.keyboard.type("alice");
      await page.keyboard.press("Enter");
      await eventually("the sessions that fit", async () => (await list.getByRole("link").count()) >= 1 && page.url().includes("q=alice"));
      await tabTo(page, /Alice/);
      await page.keyboard.press("Enter");
      await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();
      const focused = (): Promise<string | undefined> =>
        page.evaluate(() => (globalThis as unknown as Focused).document.activeElement?.tagName);
      await eventually("the focus on the heading", async () => (await focused()) === "H1");
    }));

  it("opens and closes the menu on a phone, and applies the chosen theme", () =>
    stage().visit(
      async (seen) => {
        const { page } = seen;
        await signIn(seen, stage().gateway.adminKey);
        const menu = page.getByRole("navigation", { name: "Pages" });
        // Waits for the first page, because opening a page closes the menu.
        await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
        await page.getByRole("button", { name: "User menu" }).click();
        const ground = (): Promise<string> =>
          page.evaluate(() => {
            const { getComputedStyle, document } = globalThis as unknown as Styled;
            return getComputedStyle(document.documentElement).backgroundColor;
          });
        // Follows the system's setting, which is light here.
        const light = await ground();
        await page.getByTitle("Dark", { exact: true }).click();
        await eventually("a dark ground", async () => (await ground()) !== light);
        await page.getByTitle("Light", { exact: true }).click();
        await eventually("the light one again", async () => (await ground()) === light);
        await page.keyboard.press("Escape");
        await page.getByTitle("Light", { exact: true }).waitFor({ state: "hidden" });
        await page.getByRole("button", { name: "Open menu" }).click();
        await page.locator(".behind-menu").click({ position: { x: 340, y: 400 } });
        await menu.waitFor({ state: "hidden" });
        await page.getByRole("button", { name: "Open menu" }).click();
        await menu.getByRole("link", { name: "Audit log" }).click();
        await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
        await menu.waitFor({ state: "hidden" });
      },
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    ));

  it("shows a slow or lost network, and continues when it is back", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      let letThrough: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letThrough = resolve));
      await page.route("**/admin/members*", async (route) => {
        await held;
        await route.continue();
      });
      await goToUnread(page, "#/members");
      await page.locator(".loading").first().waitFor();
      await page.getByText("Slow response").waitFor();
      letThrough();
      await page.getByRole("row", { name: /shard-1/ }).waitFor();

      await goTo(seen, "#/tenants", "Tenants");
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "New tenant" }).click();
      await page.getByLabel("Name").fill("initech");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByText("Can't reach the gateway.").waitFor();
      await page.getByText("Gateway unreachable").waitFor();
      await page.context().setOffline(false);
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("heading", { level: 1, name: "initech" }).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();

      // A failed read is repeated on request.
      await page.route("**/admin/audit*", (route) => route.abort(), { times: 1 });
      await goToUnread(page, "#/audit");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("row").nth(1).waitFor();

      // A page whose script failed to load is loaded again on request too.
      await page.route("**/console/keyring-page-*.js", (route) => route.fulfill({ status: 503 }), { times: 1 });
      await goToUnread(page, "#/keyring");
      await page.getByText("Couldn't load this page").waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { level: 1, name: "Encryption keys" }).waitFor();
    }));

  it("keeps the key of a tab that is reloaded while the gateway is busy", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      const busy = { status: 503, json: { statusCode: 503, message: "server busy" } };
      await page.route("**/admin/self", (route) => route.fulfill(busy), { times: 1 });
      await stage().pressed.note(page);
      await stage().pressed.watch(page);
      await page.reload();
      await page.getByText("Server busy. You're still signed in. Reload the page.").waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    }));

  it("keeps the key of a sign-in link if the gateway is busy after the code was used", async () => {
    const code = await stage().withRedis(makeSignInCode);
    await stage().visit(async ({ page }) => {
      await page.getByLabel("API key").waitFor();
      const busy = { status: 503, json: { statusCode: 503, message: "server busy" } };
      await page.route("**/admin/self", (route) => route.fulfill(busy), { times: 1 });
      await page.goto(`${stage().origin}/console#code=${code}`);
      await page.getByText("Server busy. You're still signed in. Reload the page.").waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    });
  });

  it("keeps the current page when the script of an earlier page arrives late", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      let letThrough: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letThrough = resolve));
      const overview = "**/console/overview-page-*.js";
      await page.route(overview, async (route) => {
        await held;
        await route.continue();
      });
      const asked = page.waitForRequest(overview);
      // The sign-in opens the overview, and the user leaves before that page has loaded.
      await signIn(seen, stage().gateway.adminKey);
      const script = (await asked).url();
      await goTo(seen, "#/tenants", "Tenants");
      letThrough();
      // Waits until the script has loaded and run, and its effects are drawn.
      await page.evaluate(
        `import(${JSON.stringify(script)}).then(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))`,
      );
      expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual(["Tenants"]);
    }));
}

/** Opens an address without waiting for the page's data. */
async function goToUnread(page: Page, address: string): Promise<void> {
  await page.goto(new URL(address, page.url()).href);
}

interface Focused {
  document: {
    activeElement: { tagName: string; textContent: string; labels?: { textContent: string }[] | null; ariaLabel: string | null } | null;
  };
}

interface Styled {
  document: { documentElement: object };
  getComputedStyle: (element: object) => { backgroundColor: string };
}

/** Presses Tab until the element with this name has the focus, at most as often as a page has elements. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => {
      const { activeElement: now } = (globalThis as unknown as Focused).document;
      // Containers are skipped, because their text includes that of the element.
      return now === null || now.tagName === "DIV" || now.tagName === "BODY"
        ? ""
        : [now.ariaLabel ?? "", ...[...(now.labels ?? [])].map((label) => label.textContent), now.textContent].join(" ");
    });
    if (typeof name === "string" ? text.includes(name) : name.test(text)) return;
  }
  throw new Error(`the Tab key does not lead to ${String(name)}`);
}
