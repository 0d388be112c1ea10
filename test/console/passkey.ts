import { expect, it } from "vitest";
import { goTo, signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { guideAddress, platformTab, scannedWithPasskey } from "./passkey-owner.js";
import type { Stage } from "./stage.js";

/** Tests the steps of an account's owner: the guide page, the platform's page, and a browser with the passkey. */
export function passkey(stage: () => Stage): void {
  it("links the account after the owner used the passkey guide on the platform's page", async () => {
    const { gateway, origin } = stage();
    const { caller, token } = await scannedWithPasskey(gateway);
    await stage().visit(async (seen) => {
      await signIn(seen, gateway.adminKey);
      await goTo(seen, `#/sessions/${caller.credentials.id}`, /./);
      await seen.page.getByText("WhatsApp requires the account's passkey.").waitFor();
      const address = await seen.page.getByRole("link", { name: "Open passkey guide" }).getAttribute("href");
      expect(address).toBe(guideAddress(origin, caller, token));
    });
    const context = await stage().newContext();
    try {
      const faults: string[] = [];
      const guide = await context.newPage();
      guide.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
      guide.on("pageerror", (error) => void faults.push(error.message));
      await guide.goto(guideAddress(origin, caller, token));
      await guide.getByText("Your passkey is asked for.").waitFor();
      const line = await guide.getByLabel("Line for the developer tools").inputValue();
      const bookmark = await guide.getByRole("link", { name: "this bookmark" }).getAttribute("href");
      expect(decodeURIComponent(bookmark ?? "")).toBe(`javascript:${line}`);
      const { options, back } = JSON.parse(await guide.getByLabel("Ticket for the extension").inputValue()) as {
        options: object;
        back: string;
      };
      expect(line).toContain(JSON.stringify(options));
      expect(back).toBe(`${guideAddress(origin, caller, token)}.`);

      const { page } = await platformTab(context, gateway);
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.message());
        void dialog.accept();
      });
      await page.evaluate(line);
      await page.waitForURL(`${origin}/**`);
      expect(asked).toEqual([`Link this WhatsApp account to a device of ${new URL(origin).host}? Go on only if you asked for it there.`]);
      await eventually("connected", async () => (await caller.record()).isConnected);
      // The credential appears neither in the address nor in the history.
      await page.getByText("The account is linked.").waitFor();
      expect(page.url()).toBe(guideAddress(origin, caller, token));
      // Excludes 404, which the browser logs as an error for each failed response.
      expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    } finally {
      await context.close();
    }
    await caller.send("DELETE", "/session");
  });
}
