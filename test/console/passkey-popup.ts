import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Dialog, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { request, type Caller } from "../harness/api.js";
import { startBrowserWith } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { challengeToken, guideAddress, platformTab, scannedWithPasskey, type PlatformTab } from "./passkey-owner.js";
import type { Stage } from "./stage.js";

/** Tests the extension for accounts with a passkey. It is loaded unpacked, as a person does it, and opened over the active tab. */
export function passkeyPopup(stage: () => Stage): void {
  let context: BrowserContext;
  /** A page of the extension itself, which may open its popup over any tab. */
  let own: Page;
  let platform: PlatformTab;
  let guide: Page;
  let caller: Caller;
  let token: string;
  /** Dialogs of the platform's tab, and whether the person accepts the next one. */
  const dialogs: string[] = [];
  let goOn = true;

  beforeAll(async () => {
    context = await startBrowserWith(extension);
    own = await context.newPage();
    await own.goto(popupAddress);
    ({ caller, token } = await scannedWithPasskey(stage().gateway));
    platform = await platformTab(context, stage().gateway);
    platform.page.on("dialog", (dialog: Dialog) => {
      dialogs.push(dialog.message());
      void (goOn ? dialog.accept() : dialog.dismiss());
    });
    guide = await context.newPage();
    await guide.goto(guideAddress(stage().origin, caller, token));
  });
  afterAll(() => context.close());

  /** Returns the ticket that the guide page shows. */
  const ticket = async (): Promise<Ticket> => {
    await guide.getByText("Your passkey is asked for.").waitFor();
    return JSON.parse(await guide.getByLabel("Ticket for the extension").inputValue()) as Ticket;
  };

  const pressed = async (tab: Page, pasted: string): Promise<Page> => {
    // The popup closes as soon as its tab loses focus, so nothing else is opened or closed meanwhile.
    await tab.bringToFront();
    await eventually("the former popup is gone", async () => (await own.evaluate(openPopups)) === 0);
    const [popup] = await Promise.all([context.waitForEvent("page"), own.evaluate("chrome.action.openPopup()")]);
    await popup.waitForURL(popupAddress);
    await popup.getByLabel("Ticket from the page that guides you").fill(pasted);
    await popup.getByRole("button", { name: "Answer with the passkey" }).click();
    return popup;
  };

  /** Returns the popup's message that says why it does not start. */
  const told = async (tab: Page, pasted: string): Promise<string> => {
    const popup = await pressed(tab, pasted);
    const answer = await eventually("the popup's word", async () => (await popup.getByRole("status").textContent()) ?? "");
    await popup.close();
    return answer;
  };

  /** Returns the dialogs of the tab after the start, when the browser closes the popup. */
  const toldByTab = async (pasted: string, count: number): Promise<string[]> => {
    dialogs.length = 0;
    const popup = await pressed(platform.page, pasted);
    await eventually("the tab's words", () => dialogs.length >= count);
    await eventually("the popup closed", () => popup.isClosed());
    return [...dialogs];
  };

  it("explains why it cannot begin, and does not use the passkey", async () => {
    const right = await ticket();
    const elsewhere = "This tab shows another page. Open https://web.whatsapp.com in it, and press the extension there.";
    expect(await told(guide, JSON.stringify(right))).toBe(elsewhere);
    const none = "This is no ticket. Copy it from the page that guides you.";
    const line = await guide.getByLabel("Line for the developer tools").inputValue();
    for (const text of ["ticket", "null", "{}", "[]", line, JSON.stringify({ ...right, until: undefined })])
      expect(await told(platform.page, text)).toBe(none);
    // The result may only go to a page, never into a script of the platform's page.
    for (const back of ["javascript:document.title='taken'//", " javascript:0", "data:text/html,x", "/passkey#", ["https://a.example"]])
      expect(await told(platform.page, JSON.stringify({ ...right, back }))).toBe(none);
    const over = "The time for this ticket is over. The page that guides you says how it goes on.";
    expect(await told(platform.page, JSON.stringify({ ...right, until: Date.now() - 1 }))).toBe(over);
    expect([dialogs, await platform.page.title()]).toEqual([[], "The platform"]);
  });

  it("has the remaining time, even if the computer's clock is wrong", async () => {
    const aheadMs = 3 * 3_600_000;
    // Sets the clock of all pages of a browser.
    const elsewhere = await stage().newContext();
    const hasty = await elsewhere.newPage();
    await hasty.clock.setFixedTime(Date.now() + aheadMs);
    await hasty.goto(guideAddress(stage().origin, caller, token));
    await hasty.getByText("Your passkey is asked for.").waitFor();
    const { until } = JSON.parse(await hasty.getByLabel("Ticket for the extension").inputValue()) as Ticket;
    await elsewhere.close();
    // Most of the platform's ten minutes are left.
    expect(until - aheadMs - Date.now()).toBeGreaterThan(300_000);
    expect(until - aheadMs - Date.now()).toBeLessThan(610_000);
  });

  it("asks before it uses the passkey, reports a failure, and can be retried", async () => {
    const right = JSON.stringify(await ticket());
    const question = `Link this WhatsApp account to a device of ${new URL(stage().origin).host}? Go on only if you asked for it there.`;
    goOn = false;
    expect(await toldByTab(right, 1)).toEqual([question]);
    goOn = true;
    await platform.verifies(false);
    expect(await toldByTab(right, 2)).toEqual([question, expect.stringMatching(/^The passkey did not answer: .+/)]);
    await platform.verifies(true);
    expect(await challengeToken(caller)).toBe(token);
  });

  it("links the account with the passkey, once for each ticket", async () => {
    const right = JSON.stringify(await ticket());
    await pressed(platform.page, right);
    await platform.page.waitForURL(`${stage().origin}/**`);
    await eventually("connected", async () => (await caller.record()).isConnected);
    await platform.page.getByText("The account is linked.").waitFor();
    await platform.page.goto("https://web.whatsapp.com/");
    await pressed(platform.page, right);
    await platform.page.waitForURL(`${stage().origin}/**`);
    await platform.page.getByText(/The account is linked\.|This linking is over\./).waitFor();
    await caller.send("DELETE", "/session");
  });

  it("shows the reason if the platform rejects the passkey", async () => {
    ({ caller, token } = await scannedWithPasskey(stage().gateway));
    // The address of a new linking, in the tab that showed the previous one.
    await guide.goto(guideAddress(stage().origin, caller, token));
    const fault = { platform: "whatsapp", kind: "error", method: "iq md passkey_prologue", error: "400 bad-request" };
    expect(await request(`${stage().gateway.sandbox}/faults`, posted(fault))).toMatchObject({ status: 200 });
    await platform.page.goto("https://web.whatsapp.com/");
    await pressed(platform.page, JSON.stringify(await ticket()));
    const reason = "The account was not linked: the platform refused the passkey (400)";
    await platform.page.waitForURL(`${stage().origin}/**`);
    // Both tabs show the reason: the one that sent the credential, and the guide.
    for (const page of [platform.page, guide]) await page.getByText(reason).waitFor();
    await caller.send("DELETE", "/session");
  });

  it("ignores an incomplete address", async () => {
    for (const part of ["", "#", `#${caller.credentials.id}`]) {
      await guide.goto("about:blank");
      await guide.goto(`${stage().origin}/passkey${part}`);
      await guide.getByText("This address is not whole.").waitFor();
    }
  });
}

const openPopups = "chrome.runtime.getContexts({ contextTypes: ['POPUP'] }).then(({ length }) => length)";

interface Ticket {
  readonly options: object;
  readonly back: string;
  readonly until: number;
}

const extension = fileURLToPath(new URL("../../router/api/passkey/page/extension", import.meta.url));

/** A browser derives the id of an unpacked extension from its folder. */
const extensionId = createHash("sha256")
  .update(extension)
  .digest("hex")
  .slice(0, 32)
  .replace(/./g, (digit) => String.fromCharCode("a".charCodeAt(0) + parseInt(digit, 16)));

const popupAddress = `chrome-extension://${extensionId}/popup.html`;

const posted = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
