import type { BrowserContext, Page } from "playwright-core";
import type { PasskeyStatus } from "../../shared/contract/passkey.js";
import { createSession, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import type { Gateway } from "../harness/gateway.js";
import { Passkey } from "../sandbox/whatsapp/protocol/passkey/passkey.js";

/** Helpers for linking by passkey: the phone that scans, the address given to the account's owner, and a browser with the passkey. */

const platformPage = "https://web.whatsapp.com/";

/** Creates a session whose code was scanned by the account with the passkey, and returns it with the token of the challenge. */
export async function scannedWithPasskey(gateway: Gateway): Promise<{ caller: Caller; token: string }> {
  const caller = await createSession(gateway, "whatsapp");
  await caller.scan("passkey");
  return { caller, token: await challengeToken(caller) };
}

export async function challengeToken(caller: Caller): Promise<string> {
  const { token } = await eventually("the challenge", async () => {
    const status = (await caller.get("/session/passkey")).body as PasskeyStatus;
    return status.state === "challenge" && status;
  });
  return token;
}

export const guideAddress = (origin: string, { credentials: { id } }: Caller, token: string): string => `${origin}/passkey#${id}.${token}`;

export interface PlatformTab {
  readonly page: Page;
  /** Sets whether the person passes the authenticator's user verification. */
  verifies(isUserVerified: boolean): Promise<void>;
}

/** Opens a tab with the platform's page, in a browser whose authenticator holds the account's passkey. */
export async function platformTab(context: BrowserContext, gateway: Gateway): Promise<PlatformTab> {
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
  const phone = await phoneOf(gateway.sandbox);
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
  const verifies = async (isUserVerified: boolean): Promise<void> => {
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  };
  return { page, verifies };
}

async function phoneOf(sandbox: string): Promise<string> {
  const { docs } = (await request(`${sandbox}/accounts?platform=whatsapp`)).body as { docs: { account: string; phone: string }[] };
  return docs.find(({ account }) => account === "passkey")?.phone ?? "";
}
