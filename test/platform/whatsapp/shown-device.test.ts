import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../../../shard/whatsapp/shown-device.js";
import { eventually } from "../../harness/eventually.js";
import { WhatsAppFixture } from "./fixture.js";

/** How the account's owner sees a linked device: the values that the real library sends to the sandbox's phone. */
const chrome = 1;
const cases: [string, Browser, number][] = [
  ["Ubuntu", "Chrome", chrome],
  ["Support desk 2", "Firefox", 2],
  ["Büro", "Safari", 5],
  ["Windows", "Edge", 6],
];

describe.each(cases)("%s with %s", (name, browser, platformType) => {
  let fixture: WhatsAppFixture;
  beforeAll(async () => void (fixture = await WhatsAppFixture.start({}, { device: { name, browser } })));
  afterEach(() => fixture.closeSessions());
  afterAll(() => fixture.stop());

  test("is what a phone reads that scans the code", async () => {
    const { context } = fixture.open();
    const scanned = await fixture.sandbox.whatsapp.control.scan("alice", await context.qr());
    expect(scanned).toMatchObject({ account: "alice", client: { os: name, platformType } });
    await context.connected();
  });

  test("links by a pairing code too, which the platform issues only to supported names", async () => {
    const { session, context } = fixture.open();
    session.connector.pairBy(fixture.sandbox.whatsapp.world.account("bob").phone);
    const state = await context.until((one) => one.kind === "awaiting-qr" && one.pairingCode !== undefined);
    const code = state.kind === "awaiting-qr" ? state.pairingCode : undefined;
    // The code may be shown before the platform knows it.
    await eventually("a code that the platform knows", () =>
      fixture.control("/phone/code", { account: "bob", code }).then(
        () => true,
        (error: unknown) => (String(error).includes("expired") ? false : Promise.reject(error)),
      ),
    );
    await context.connected();
  });

  test("requests a passkey as the same kind of device", async () => {
    const { session, context } = fixture.open();
    await fixture.scan("passkey", await context.qr());
    const state = await context.until((one) => one.kind === "awaiting-qr" && one.passkey?.step === "challenge");
    const options = state.kind === "awaiting-qr" && state.passkey?.step === "challenge" ? state.passkey.options : undefined;
    await fixture.run(session, "submit-passkey", { credential: fixture.passkeyCredential("passkey", options) });
    await context.connected();
  });
});
