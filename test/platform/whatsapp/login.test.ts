import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../harness/eventually.js";
import { scanInTime, WhatsAppFixture } from "./fixture.js";
import { newSession } from "../../harness/new-session.js";

let fixture: WhatsAppFixture;
beforeAll(async () => void (fixture = await WhatsAppFixture.start()));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

const linked = (phone: string): number => fixture.sandbox.whatsapp.server.devices(phone).filter(({ removed }) => !removed).length;

describe("login by QR code", () => {
  test("connects the account, and stores the login before anything that depends on it", async () => {
    const { context } = fixture.open();
    const qr = await context.qr();
    expect(qr).toMatch(/^https:\/\/wa\.me\/settings\/linked_devices#/);
    await fixture.scan("alice", qr);
    const { account } = await context.connected();
    expect(account).toMatchObject({ phone: "6281155501001", generatedId: "6281155501001@s.whatsapp.net", username: "" });
    expect(context.history.indexOf("credentials")).toBeLessThan(context.history.indexOf("logged-in"));
    await context.until((state) => state.kind === "connected" && state.account.name === "Alice Liddell 🌸");
    await eventually("the address book is read", () => context.storage.peers.size >= 90);
  });

  test("shows the next codes, and starts over when all of them have run out", async () => {
    const short = await WhatsAppFixture.start({ qrMs: 150 });
    try {
      const { context } = short.open();
      const seen = new Set<string>();
      for (let last = ""; seen.size < 8; seen.add(last)) last = await context.qr(last);
      expect(context.history.filter((event) => event === "connection-lost").length).toBeGreaterThan(0);
      expect(context.state().kind).toBe("awaiting-qr");
      await scanInTime(short, context, "bob");
      await context.connected();
    } finally {
      await short.stop();
    }
  });

  test("shows a code with another secret once the platform takes the former one no longer", async () => {
    const { context } = fixture.open();
    const before = await context.qr();
    fixture.resetCalls();
    await fixture.control("/faults", { kind: "refresh" });
    const after = await context.qr(before);
    const [old = [], fresh = []] = [before, after].map((text) => text.split(","));
    const secret = 3;
    expect(fresh).toEqual(old.with(secret, fresh[secret] ?? "none"));
    expect(fresh[secret]).not.toBe(old[secret]);
    // The platform redelivers a notification that a device has not acknowledged.
    await eventually("the notification is acknowledged", () => fixture.calls("ack") === 1);
    await fixture.scan("bob", after);
    await context.connected();
  });

  test("requests no second code after a restart", async () => {
    const first = await fixture.login("carol");
    await fixture.closeSessions();
    const second = fixture.open(first.context.storage);
    await second.context.until(() => second.context.history.includes("logged-in"));
    expect(second.context.history).not.toContain("qr-issued");
  });
});

describe("login by pairing code", () => {
  test("shows a code in place of a QR, and connects when it is typed", async () => {
    const { session, context } = fixture.open();
    expect(await fixture.run(session, "create-session", { ...newSession("h"), phone: "6281155501004" })).toEqual({ id: session.id });
    const state = await context.until((one) => one.kind === "awaiting-qr" && one.pairingCode !== undefined);
    expect(state).toMatchObject({ qr: "", pairingCode: expect.stringMatching(/^[0-9A-Z]{8}$/) });
    await fixture.control("/phone/code", { account: "dave", code: state.kind === "awaiting-qr" ? state.pairingCode : "" });
    expect((await context.connected()).account.phone).toBe("6281155501004");
  });

  test("requests another code after a restart, as a new device", async () => {
    const first = fixture.open();
    first.session.connector.account.pairBy("6281155501005");
    const before = await first.context.until((one) => one.kind === "awaiting-qr" && one.pairingCode !== undefined);
    await fixture.closeSessions();
    const second = fixture.open(first.context.storage);
    const after = await second.context.until(
      (one) => one.kind === "awaiting-qr" && one.pairingCode !== undefined && JSON.stringify(one) !== JSON.stringify(before),
    );
    await fixture.control("/phone/code", { account: "erin", code: after.kind === "awaiting-qr" ? after.pairingCode : "" });
    await second.context.connected();
  });
});

describe("the end of a login", () => {
  test("an unlinked device gets a new QR at once, and nothing of the account stays", async () => {
    const { context } = await fixture.login("bob");
    await eventually("the address book is read", () => context.storage.peers.size > 0);
    fixture.sandbox.whatsapp.control.unlink("bob");
    expect(await context.qr()).toMatch(/^https:/);
    expect(context.storage).toMatchObject({ credentials: undefined, peers: new Map() });
    expect(context.storage.secrets?.size).toBe(0);
  });

  test("a reset logs out on the platform and shows a new QR", async () => {
    const { session, context } = await fixture.login("bob");
    const before = linked("6281155501002");
    expect(await fixture.run(session, "reset-session", {})).toEqual({ id: session.id });
    expect(linked("6281155501002")).toBe(before - 1);
    await context.qr();
    expect(context.history).toContain("reset");
    expect(context.history).not.toContain("logged-out");
  });

  test("a deletion logs out on the platform and ends the session", async () => {
    const { session, context } = await fixture.login("bob");
    const before = linked("6281155501002");
    await fixture.run(session, "delete-session", {});
    expect(context.state()).toEqual({ kind: "deleted", reason: "owner" });
    expect(linked("6281155501002")).toBe(before - 1);
  });
});
