import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { PasskeyStep } from "../../../shared/contract/passkey.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import type { SessionState } from "../../../shared/session/state.js";
import { eventually } from "../../harness/eventually.js";
import { newSession } from "../../harness/new-session.js";
import type { TestContext } from "../session-context.js";
import { scanInTime, WhatsAppFixture } from "./fixture.js";

/** Links an account with a passkey. The server and the phone check every byte. */
let fixture: WhatsAppFixture;
beforeAll(async () => void (fixture = await WhatsAppFixture.start()));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

interface Opened {
  readonly session: Session<WhatsAppConnector>;
  readonly context: TestContext;
}

const stepOf = (state: SessionState): PasskeyStep | undefined => (state.kind === "awaiting-qr" ? state.passkey : undefined);
const refusalOf = (state: SessionState): string => (state.kind === "awaiting-qr" ? (state.refusal ?? "") : "");

async function until(context: TestContext, step: PasskeyStep["step"]): Promise<PasskeyStep> {
  const found = stepOf(await context.until((state) => stepOf(state)?.step === step));
  if (found === undefined) throw new Error(`no step ${step}`);
  return found;
}

async function refused(context: TestContext): Promise<string> {
  return refusalOf(await context.until((state) => refusalOf(state) !== ""));
}

const scanned = async (of: WhatsAppFixture): Promise<Opened> => {
  const opened = of.open();
  await of.scan("passkey", await opened.context.qr());
  return opened;
};

const typed = async (of: WhatsAppFixture): Promise<Opened> => {
  const opened = of.open();
  const phone = of.sandbox.whatsapp.world.account("passkey").phone;
  await of.run(opened.session, "create-session", { ...newSession("h"), phone });
  const state = await opened.context.until((one) => one.kind === "awaiting-qr" && one.pairingCode !== undefined);
  await of.control("/phone/code", { account: "passkey", code: state.kind === "awaiting-qr" ? state.pairingCode : "" });
  return opened;
};

async function respond(of: WhatsAppFixture, { session, context }: Opened, more: { origin?: string } = {}): Promise<void> {
  const { options } = await until(context, "challenge");
  await of.run(session, "submit-passkey", { credential: of.passkeyCredential("passkey", options, more) });
}

describe.each([
  ["QR code", scanned],
  ["pairing code", typed],
] as const)("an account with a passkey, linked by %s", (_method, begin) => {
  test("connects after the owner's browser responds, without a code to compare", async () => {
    const opened = await begin(fixture);
    const { options, token } = await until(opened.context, "challenge");
    expect(options).toMatchObject({ rpId: "whatsapp.com", userVerification: "required", timeout: 600_000, extensions: { uvm: true } });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(opened.context.state()).toMatchObject({ kind: "awaiting-qr", qr: "" });
    expect(opened.context.state()).not.toHaveProperty("pairingCode");
    await respond(fixture, opened);
    expect((await opened.context.connected()).account.phone).toBe(fixture.sandbox.whatsapp.world.account("passkey").phone);
    // Each step is stored before it is shown.
    const { history } = opened.context;
    expect(history.indexOf("credentials")).toBeLessThan(history.indexOf("passkey-step"));
  });

  test("continues with another owner after a crash between challenge and response, and after the response", async () => {
    const first = await begin(fixture);
    const { options } = await until(first.context, "challenge");
    await fixture.closeSessions();
    const second = fixture.open(first.context.storage);
    await second.context.until(() => second.context.history.includes("passkey-step"));
    expect((await until(second.context, "challenge")).options).toEqual(options);
    // The phone's key arrives, but the reply to it is lost.
    await fixture.control("/faults", { kind: "stall", method: "iq md companion_nonce" });
    await respond(fixture, second);
    await fixture.closeSessions();
    const third = fixture.open(second.context.storage);
    await third.context.connected();
  });
});

describe("the code that both sides show", () => {
  let coded: WhatsAppFixture;
  beforeAll(async () => void (coded = await WhatsAppFixture.start({ handoffMs: 0, passkeyConfirmMs: 1_500 })));
  afterEach(() => coded.closeSessions());
  afterAll(() => coded.stop());

  test("replaces the proof when the response is late, and links once both sides have confirmed the code", async () => {
    const opened = await scanned(coded);
    await respond(coded, opened);
    const { code, options } = await until(opened.context, "confirm");
    expect(code).toMatch(/^[1-9A-HJ-NP-TV-Z]{4}-[1-9A-HJ-NP-TV-Z]{4}$/);
    expect(options).toBeUndefined();
    await coded.control("/phone/passkey/confirm", { account: "passkey", code });
    await coded.run(opened.session, "confirm-passkey", {});
    await opened.context.connected();
    await expect(coded.run(opened.session, "confirm-passkey", {})).rejects.toMatchObject({ status: 409 });
  });

  test("links nothing when the phone shows another one", async () => {
    const opened = await scanned(coded);
    await respond(coded, opened);
    const { code } = await until(opened.context, "confirm");
    const other = `${code.slice(0, 8)}${code.endsWith("A") ? "B" : "A"}`;
    await expect(coded.control("/phone/passkey/confirm", { account: "passkey", code: other })).rejects.toThrow("another code");
    await expect(coded.run(opened.session, "confirm-passkey", {})).rejects.toMatchObject({ status: 500 });
    expect(await refused(opened.context)).toMatch(/^the phone refused to link this device \(404\)/);
  });

  test("is not waited for without an end", async () => {
    const opened = await scanned(coded);
    await respond(coded, opened);
    await until(opened.context, "confirm");
    expect(await refused(opened.context)).toMatch(/^the code was not confirmed in time/);
  });

  test("rejects a second key of the phone: with our nonce, an attacker could choose one that fits", async () => {
    await coded.control("/faults", { kind: "passkey", method: "second-continuation" });
    const opened = await scanned(coded);
    await respond(coded, opened);
    expect(await refused(opened.context)).toMatch(/^the phone's key changed on the way/);
  });
});

describe("a step that goes wrong", () => {
  let short: WhatsAppFixture;
  const ended: string[] = [];
  const metrics = { onPasskeyEnded: (step: string, outcome: string) => void ended.push(`${step} ${outcome}`) };
  beforeAll(async () => void (short = await WhatsAppFixture.start({ passkeyStepMs: 1_500, queryMs: 2_000, qrMs: 400 }, { metrics })));
  afterEach(() => short.closeSessions());
  afterAll(() => short.stop());

  /** The faults of the platform or the phone, and the reason that the session shows. */
  const steps: readonly (readonly [step: string, faults: readonly Record<string, unknown>[], reason: RegExp, counted: string])[] = [
    [
      "a challenge that is not readable, also when it is asked for",
      [
        { kind: "passkey", method: "unreadable-options" },
        { kind: "error", method: "iq md passkey_request_options", error: "404 item-not-found" },
      ],
      /^the platform's challenge for the passkey could not be read/,
      "challenge unreadable",
    ],
    [
      "no attempt is named",
      [{ kind: "error", method: "iq md ref", error: "500 internal" }],
      /^the platform refused to go on \(500\)/,
      "challenge refused",
    ],
    [
      "the passkey is refused",
      [{ kind: "error", method: "iq md passkey_prologue", error: "400 bad-request" }],
      /^the platform refused the passkey \(400\)/,
      "sent refused",
    ],
    ["the phone says nothing", [{ kind: "passkey", method: "no-continuation" }], /the phone did not continue in time/, "sent late"],
    ["the platform says nothing", [{ kind: "stall", method: "iq md passkey_prologue" }], /the phone did not continue in time/, "sent late"],
    [
      "the phone's key is none",
      [{ kind: "passkey", method: "malformed-continuation" }],
      /^the phone's key could not be read/,
      "sent unreadable",
    ],
    [
      "the phone refuses our nonce",
      [{ kind: "error", method: "iq md companion_nonce", error: "400 bad-request" }],
      /^the phone refused this device \(400\)/,
      "revealed refused",
    ],
    [
      "the phone refuses our keys",
      [{ kind: "error", method: "iq md encrypted_pairing_request", error: "400 bad-request" }],
      /^the phone refused to link this device \(400\)/,
      "confirmed refused",
    ],
    [
      "the link is sealed with the secret of the QR",
      [{ kind: "passkey", method: "old-secret", times: 100 }],
      /^the phone did not link the device in time/,
      "confirmed late",
    ],
  ];

  test.each(steps)("%s: the session says so, and nothing of the device stays", async (_step, faults, reason, counted) => {
    ended.length = 0;
    for (const fault of faults) await short.control("/faults", fault);
    const opened = await scannedInTime(short, "passkey");
    await opened.context.until((state) => refusalOf(state) !== "" || stepOf(state) !== undefined);
    // The caller also gets a refusal by the platform.
    if (refusalOf(opened.context.state()) === "")
      await respond(short, opened).catch((error: unknown) => expect(error).toMatchObject({ status: 500 }));
    expect(await refused(opened.context)).toMatch(reason);
    expect(ended).toEqual([counted]);
    expect(opened.context.state()).toMatchObject({ kind: "awaiting-qr", qr: "" });
    expect(opened.context.storage.credentials).toBeUndefined();
    await expect(short.run(opened.session, "confirm-passkey", {})).rejects.toMatchObject({ status: 409 });
  });

  test("requests an unreadable challenge again, and responds to it", async () => {
    ended.length = 0;
    await short.control("/faults", { kind: "passkey", method: "unreadable-options" });
    const opened = await scannedInTime(short, "passkey");
    await respond(short, opened);
    await opened.context.connected();
    expect(ended).toEqual(["confirmed linked"]);
  });

  test("reports a reason when the platform has forgotten the attempt", async () => {
    const first = await scannedInTime(short, "passkey");
    await until(first.context, "challenge");
    await short.closeSessions();
    await short.control("/faults", { kind: "passkey", method: "forgotten" });
    const second = short.open(first.context.storage);
    expect(await refused(second.context)).toMatch(/^the platform waits for the passkey no longer/);
  });

  test("rejects an assertion from another origin, and the challenge stays open", async () => {
    const opened = await scannedInTime(short, "passkey");
    await until(opened.context, "challenge");
    short.resetCalls();
    await expect(respond(short, opened, { origin: "https://web.whatsapp.com.example" })).rejects.toMatchObject({
      status: 400,
      message: "credential: it was made on another page than https://web.whatsapp.com",
    });
    expect(short.calls("iq md ref") + short.calls("iq md passkey_prologue")).toBe(0);
    const { options } = await until(opened.context, "challenge");
    const credential = short.passkeyCredential("passkey", options);
    await short.run(opened.session, "submit-passkey", { credential });
    // A credential is accepted only once.
    await expect(short.run(opened.session, "submit-passkey", { credential })).rejects.toMatchObject({ status: 409 });
    await opened.context.connected();
  });

  test("codes go on behind a reason and none is shown, until the session is reset", async () => {
    await short.control("/faults", { kind: "error", method: "iq md passkey_prologue", error: "400 bad-request" });
    const { session, context } = await scannedInTime(short, "passkey");
    await respond(short, { session, context }).catch(() => undefined);
    await refused(context);
    const before = context.history.filter((event) => event === "qr-issued").length;
    await eventually("later codes", () => context.history.filter((event) => event === "qr-issued").length > before + 2);
    expect(context.state()).toMatchObject({ kind: "awaiting-qr", qr: "", refusal: expect.stringMatching(/passkey/) });
    await expect(
      short.run(session, "send-message", { to: { kind: "phone", phone: "6281155501002" }, type: "text", text: "x" }),
    ).rejects.toMatchObject({ status: 500, message: "session not connected" });
    await short.run(session, "reset-session", {});
    await scanInTime(short, context, "passkey");
    await respond(short, { session, context });
    await context.connected();
  });
});

async function scannedInTime(of: WhatsAppFixture, account: string): Promise<Opened> {
  const opened = of.open();
  await scanInTime(of, opened.context, account);
  return opened;
}
