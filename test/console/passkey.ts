import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { PasskeyStatus } from "../../shared/contract/passkey.js";
import { createSession, request } from "../harness/api.js";
import { goTo, signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { Passkey } from "../sandbox/whatsapp/protocol/passkey/passkey.js";
import type { Stage } from "./stage.js";

const platformPage = "https://web.whatsapp.com/";

/** What the owner of an account does whose passkey is asked for: the page that guides, the platform's page, and a browser with the passkey in it. */
export function passkey(stage: () => Stage): void {
  it("a person whose passkey is asked for answers on the platform's page with what the page that guides gives, and is linked", async () => {
    const { gateway, origin } = stage();
    const caller = await createSession(gateway, "whatsapp");
    await caller.scan("passkey");
    const { token } = await eventually("the challenge", async () => {
      const status = (await caller.get("/session/passkey")).body as PasskeyStatus;
      return status.state === "challenge" && status;
    });
    await stage().visit(async (seen) => {
      await signIn(seen, gateway.adminKey);
      await goTo(seen, `#/sessions/${caller.credentials.id}`, /./);
      await seen.page.getByText("The platform asks for the account's passkey.").waitFor();
      const address = await seen.page.getByRole("link", { name: "The page that guides" }).getAttribute("href");
      expect(address).toBe(`${origin}/passkey#${caller.credentials.id}.${token}`);
    });
    const context = await stage().newContext();
    try {
      const faults: string[] = [];
      const guide = await context.newPage();
      guide.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
      guide.on("pageerror", (error) => void faults.push(error.message));
      await guide.goto(`${origin}/passkey#${caller.credentials.id}.${token}`);
      await guide.getByText("Your passkey is asked for.").waitFor();
      const line = await guide.getByLabel("Line for the developer tools").inputValue();
      const bookmark = await guide.getByRole("link", { name: "this bookmark" }).getAttribute("href");
      expect(decodeURIComponent(bookmark ?? "")).toBe(`javascript:${line}`);
      const { options, back } = JSON.parse(await guide.getByLabel("Ticket for the extension").inputValue()) as {
        options: object;
        back: string;
      };
      expect(line).toContain(JSON.stringify(options));
      expect(back).toBe(`${origin}/passkey#${caller.credentials.id}.${token}.`);

      const page = await platformTab(context, await phoneOf(gateway.sandbox));
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.message());
        void dialog.accept();
      });
      await page.evaluate(line);
      await page.waitForURL(`${origin}/**`);
      expect(asked).toEqual([`Link this WhatsApp account to a device of ${new URL(origin).host}? Go on only if you asked for it there.`]);
      await eventually("connected", async () => (await caller.record()).isConnected);
      // With the linking its token is gone, and the answer stands neither in the address nor in the history.
      await page.getByText("This linking is over.").waitFor();
      expect(page.url()).toBe(`${origin}/passkey#${caller.credentials.id}.${token}`);
      // The browser itself tells of each answer that is none.
      expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    } finally {
      await context.close();
    }
    await caller.send("DELETE", "/session");
  });
}

async function phoneOf(sandbox: string): Promise<string> {
  const { docs } = (await request(`${sandbox}/accounts?platform=whatsapp`)).body as { docs: { account: string; phone: string }[] };
  return docs.find(({ account }) => account === "passkey")?.phone ?? "";
}

/** A tab with the platform's page, in a browser whose authenticator holds the account's passkey. */
async function platformTab(context: BrowserContext, phone: string): Promise<Page> {
  await context.route(`${platformPage}**`, (route) => route.fulfill({ contentType: "text/html", body: "<title>The platform</title>" }));
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const { credentialId, privateKey } = new Passkey(phone);
  await devtools.send("WebAuthn.addCredential", {
    authenticatorId,
    credential: {
      credentialId: credentialId.toString("base64"),
      isResidentCredential: true,
      rpId: "whatsapp.com",
      privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      userHandle: Buffer.from(phone).toString("base64"),
      signCount: 1,
    },
  });
  await page.goto(platformPage);
  return page;
}
