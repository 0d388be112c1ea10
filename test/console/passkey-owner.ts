import type { BrowserContext, Page } from "playwright-core";
import type { PasskeyStatus } from "../../shared/contract/passkey.js";
import { createSession, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import type { Gateway } from "../harness/gateway.js";
import { Passkey } from "../sandbox/whatsapp/protocol/passkey/passkey.js";

/** What the tests of linking by passkey need of the account's owner: the phone that scans, the address that they are given, and a browser with the passkey in it. */

const platformPage = "https://web.whatsapp.com/";

/** A new session whose code was scanned by the account with the passkey, which is asked for now. */
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
  /** Whether the person proves to the authenticator to be who they are. */
  verifies(isUserVerified: boolean): Promise<void>;
}

/** A tab with the platform's page, in a browser whose authenticator holds the account's passkey. */
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
