import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { initialState } from "../../../shared/session/state.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
beforeAll(async () => void (fixture = await TelegramFixture.start({ pingMinMs: 400, pingMaxMs: 600 })));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

describe("login by QR code", () => {
  test("connects an account without password, and stores the login before it says so", async () => {
    const { context } = fixture.open();
    const qr = await context.qr();
    expect(qr).toMatch(/^tg:\/\/login\?token=[\w-]{43}$/);
    await fixture.scan("alice", qr);
    const { account } = await context.connected();
    expect(account).toMatchObject({ name: "Alice Liddell 🌸", username: "alice_sandbox", phone: "15550100001" });
    const afterwards = context.history.slice(context.history.indexOf("qr-issued"));
    expect(afterwards.slice(0, afterwards.indexOf("logged-in"))).toContain("credentials");
    const pictured = await context.until(
      (state) => state.kind === "connected" && state.account.picture.startsWith("data:image/jpeg;base64,"),
    );
    expect(pictured.kind).toBe("connected");
  });

  test("fetches the account's own picture on the connection that it has", async () => {
    await fixture.changePicture("bob");
    fixture.resetCalls();
    await fixture.login("bob");
    await eventually("bob's own picture", () => fixture.calls("upload.getFile") > 0);
    expect(fixture.connections().filter(({ account }) => account === "bob")).toHaveLength(1);
  });

  test("sends a message while the platform leaves the account's picture unanswered", async () => {
    await fixture.changePicture("bob");
    fixture.resetCalls();
    await fixture.fault({ kind: "stall", method: "upload.getFile", account: "bob", times: 1 });
    const { session } = await fixture.login("bob");
    await eventually("the request for the picture", () => fixture.calls("upload.getFile") > 0);
    const to = { kind: "username", chat: { kind: "username", username: "alice_sandbox" } } as const;
    expect(await fixture.run(session, "send-message", { to, type: "text", text: "meanwhile" })).toMatchObject({
      messageId: expect.any(String),
    });
  });

  test("shows the account's owner the device that is set", async () => {
    const { context } = fixture.open();
    const scanned = await fixture.sandbox.telegram.control.scan("alice", await context.qr());
    expect(scanned).toMatchObject({ client: { deviceModel: "Support desk", systemVersion: "7.1", appVersion: "3.2" } });
    await context.connected();
  });

  test("follows an account to its own data centre", async () => {
    const { context } = await fixture.login("carol");
    expect((await context.connected()).account.username).toBe("carol_sandbox");
    expect(JSON.parse(String(context.storage.credentials)).home.dcId).toBe(2);
  });

  test("names an account without a name by its username", async () => {
    const { context } = await fixture.login("mallory");
    expect((await context.connected()).account).toMatchObject({ name: "mallory_sandbox", username: "mallory_sandbox" });
  });

  test("retries after a token error", async () => {
    const { context } = fixture.open();
    const first = await context.qr();
    await fixture.fault({ kind: "error", method: "auth.exportLoginToken", error: "AUTH_TOKEN_EXPIRED" });
    await fixture.scan("bob", first);
    // The update about the scan led to an error, but the next export still finds the scan.
    await context.connected();
  });

  test("is not lost when the code is scanned while its connection is gone", async () => {
    const { context } = fixture.open();
    const qr = await context.qr();
    for (const connection of fixture.sandbox.telegram.world.devices.connections) connection.push = () => undefined;
    await fixture.scan("bob", qr);
    await fixture.fault({ kind: "drop" });
    await context.connected();
    expect(context.history.filter((entry) => entry === "qr-issued")).toHaveLength(1);
  });

  test("is not lost when the code is scanned between two owners of the session", async () => {
    const first = fixture.open();
    const qr = await first.context.qr();
    await fixture.closeSessions();
    await fixture.scan("bob", qr);
    const second = fixture.open(first.context.storage);
    await second.context.connected();
    expect(second.context.history).not.toContain("qr-issued");
  });

  test("requests the password when the code is scanned between two owners of the session", async () => {
    const first = fixture.open();
    const qr = await first.context.qr();
    await fixture.closeSessions();
    await fixture.scan("dave", qr);
    const second = fixture.open(first.context.storage);
    await second.context.until((state) => state.kind === "awaiting-password");
    await fixture.run(second.session, "submit-password", { password: "correct horse" });
    expect(second.context.state().kind).toBe("connected");
  });

  test("goes to the account's own data centre when the code is scanned between two owners of the session", async () => {
    const first = fixture.open();
    const qr = await first.context.qr();
    await fixture.closeSessions();
    await fixture.scan("carol", qr);
    const second = fixture.open(first.context.storage);
    expect((await second.context.connected()).account.username).toBe("carol_sandbox");
  });

  test("starts with another key when the platform has forgotten the one that codes were shown under", async () => {
    const first = fixture.open();
    await first.context.qr();
    await fixture.closeSessions();
    const stored = JSON.parse(String(first.context.storage.credentials)) as { keys: Record<string, string> };
    const keys = { 1: randomBytes(256).toString("base64") };
    const second = fixture.open({ ...first.context.storage, credentials: Buffer.from(JSON.stringify({ ...stored, keys })) });
    await second.context.until(() => second.context.history.includes("qr-issued"));
    await fixture.scan("bob", await second.context.qr());
    await second.context.connected();
    expect(JSON.parse(String(second.context.storage.credentials)).keys["1"]).not.toBe(keys[1]);
  });

  test("requests a new code before the code expires, so a lost scan message does not block the login", async () => {
    const startedAt = performance.now();
    const { context } = fixture.open();
    const qr = await context.qr();
    for (const connection of fixture.sandbox.telegram.world.devices.connections) connection.push = () => undefined;
    await fixture.scan("bob", qr);
    await context.connected();
    expect(performance.now() - startedAt).toBeGreaterThan(25_000);
  });
});

describe("two-step verification", () => {
  test("requests the password, rejects a wrong one, accepts the right one", async () => {
    const { session, context } = fixture.open();
    await fixture.scan("dave", await context.qr());
    expect(await context.until((state) => state.kind === "awaiting-password")).toMatchObject({ hint: "battery staple" });
    await expect(fixture.run(session, "submit-password", { password: "wrong" })).rejects.toMatchObject({
      status: 400,
      message: "invalid password",
    });
    expect(context.state().kind).toBe("awaiting-password");
    expect(await fixture.run(session, "submit-password", { password: "correct horse" })).toEqual({ id: session.id });
    expect(context.state().kind).toBe("connected");
    await expect(fixture.run(session, "submit-password", { password: "correct horse" })).rejects.toMatchObject({
      status: 400,
      message: "password is not required",
    });
  });

  test("works at another data centre, with a password outside ASCII", async () => {
    const { session, context } = fixture.open();
    await fixture.scan("erin", await context.qr());
    expect(await context.until((state) => state.kind === "awaiting-password")).toMatchObject({ hint: "мой ключ" });
    await fixture.run(session, "submit-password", { password: "пароль🔑" });
    expect(context.state().kind).toBe("connected");
  });

  test("awaits the password still after a restart", async () => {
    const first = fixture.open();
    await fixture.scan("dave", await first.context.qr());
    await first.context.until((state) => state.kind === "awaiting-password");
    await fixture.closeSessions();
    const second = fixture.open(first.context.storage);
    await second.context.until(() => second.context.history.includes("password-required"));
    await fixture.run(second.session, "submit-password", { password: "correct horse" });
    expect(second.context.state().kind).toBe("connected");
    expect(second.context.history).not.toContain("qr-issued");
  });

  test("passes on the wait that the platform demands", async () => {
    const { session, context } = fixture.open();
    await fixture.scan("dave", await context.qr());
    await context.until((state) => state.kind === "awaiting-password");
    await fixture.fault({ kind: "flood-wait", method: "auth.checkPassword", seconds: 86 });
    await expect(fixture.run(session, "submit-password", { password: "wrong" })).rejects.toMatchObject({
      status: 500,
      message: "A wait of 86 seconds is required (caused by auth.CheckPassword)",
    });
  });

  test("five tries an hour, whatever came of them: neither a killed owner nor a reset gives new ones", async () => {
    const submit = (session: Parameters<TelegramFixture["run"]>[0], password: string) =>
      fixture.run(session, "submit-password", { password });
    const first = fixture.open();
    await fixture.scan("dave", await first.context.qr());
    await first.context.until((state) => state.kind === "awaiting-password");
    fixture.resetCalls();
    for (let n = 0; n < 3; n += 1) await expect(submit(first.session, "wrong")).rejects.toMatchObject({ message: "invalid password" });
    // If the process is killed while the platform checks, the try still counts.
    await fixture.fault({ kind: "stall", method: "auth.checkPassword" });
    const pending = submit(first.session, "correct horse").catch((error: unknown) => error);
    await eventually("the fourth try at the platform", () => fixture.calls("auth.checkPassword") === 4);
    first.context.owned = false;
    await fixture.closeSessions();
    await pending;
    fixture.sandbox.telegram.control.clearFaults();

    const second = fixture.open(first.context.storage);
    await second.context.until(() => second.context.history.includes("password-required"));
    await submit(second.session, "correct horse");
    await fixture.run(second.session, "reset-session", {});
    await fixture.scan("dave", await second.context.qr());
    await second.context.until((state) => state.kind === "awaiting-password");
    fixture.resetCalls();
    const refusal = await submit(second.session, "correct horse").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 500, message: expect.stringMatching(/^A wait of 3[56]\d\d seconds is required$/) });
    expect([fixture.calls("auth.checkPassword"), second.context.state().kind]).toEqual([0, "awaiting-password"]);

    // Another session has its own tries.
    const other = fixture.open({ credentials: undefined, peers: new Map(), state: initialState });
    await fixture.scan("erin", await other.context.qr());
    await other.context.until((state) => state.kind === "awaiting-password");
    await submit(other.session, "пароль🔑");
    expect(other.context.state().kind).toBe("connected");
  });

  test("rejects a password that was not requested", async () => {
    const { session, context } = fixture.open();
    await context.qr();
    await expect(fixture.run(session, "submit-password", { password: "x" })).rejects.toMatchObject({
      status: 400,
      message: "password is not required",
    });
  });
});

describe("end of a login", () => {
  test("a restart connects with the stored login and shows no code", async () => {
    const first = await fixture.login("frank");
    await fixture.closeSessions();
    const second = fixture.open(first.context.storage);
    await second.context.until((state) => state.kind === "connected" && second.context.history.includes("logged-in"));
    expect(second.context.history).not.toContain("qr-issued");
  });

  test("a removed device leads to a new code at once", async () => {
    const { session, context } = await fixture.login("ivan");
    fixture.sandbox.telegram.control.unlink("ivan");
    const qr = await context.qr();
    expect(context.history.filter((entry) => entry === "logged-out")).toHaveLength(1);
    expect(JSON.parse(String(context.storage.credentials)).stage).toBe("shown");
    await expect(fixture.run(session, "list-channels", {})).rejects.toMatchObject({ status: 500, message: "session not connected" });
    await fixture.scan("ivan", qr);
    await context.connected();
  });

  test("what a process that was killed had not yet forgotten of an account is gone before the next login", async () => {
    const { session, context } = await fixture.login("ivan");
    await fixture.run(session, "list-channels", {});
    await eventually("people of the account", () => context.storage.peers.size > 0);
    await fixture.closeSessions();
    // The storage after a kill just after the credentials were removed.
    const left = { ...context.storage, credentials: undefined };
    const next = fixture.open(left);
    await next.context.qr();
    expect(next.context.history).toContain("logged-out");
    expect(left.peers).toEqual(new Map());
  });

  test("a device removed in silence is found by a command", async () => {
    const quiet = await TelegramFixture.start();
    try {
      const { session, context } = await quiet.login("judy");
      await quiet.fault({ kind: "error", error: "401 SESSION_REVOKED", method: "messages.getDialogs" });
      await expect(quiet.run(session, "list-channels", {})).rejects.toMatchObject({ status: 500, message: "session not connected" });
      await context.qr();
    } finally {
      await quiet.stop();
    }
  });

  test("a login used from two places leads to a new code", async () => {
    const { context } = await fixture.login("grace");
    await fixture.fault({ kind: "replaced", account: "grace" });
    await context.qr();
    expect(context.history).toContain("logged-out");
  });

  test("reset logs out and shows a new code", async () => {
    const { session, context } = await fixture.login("kenji");
    fixture.resetCalls();
    expect(await fixture.run(session, "reset-session", {})).toEqual({ id: session.id });
    expect(context.history.at(-1) === "reset" || context.history.includes("reset")).toBe(true);
    expect(fixture.calls("auth.logOut")).toBe(1);
    await fixture.scan("kenji", await context.qr());
    await context.connected();
  });

  test("reset works while the platform is not to be reached", async () => {
    const { session, context } = await fixture.login("bob");
    await fixture.fault({ kind: "refuse", seconds: 600 });
    await fixture.fault({ kind: "drop", account: "bob" });
    await context.until((state) => state.kind === "disconnected");
    await Promise.all([fixture.run(session, "reset-session", {}), fixture.run(session, "reset-session", {})]);
    expect(context.state().kind).toBe("awaiting-qr");
    expect(context.storage.credentials).toBeUndefined();
    fixture.sandbox.telegram.control.clearFaults();
    await context.qr();
  });

  test("delete logs out and ends the session", async () => {
    const { session, context } = await fixture.login("heidi");
    expect(await fixture.run(session, "delete-session", {})).toEqual({ id: session.id });
    expect(context.state()).toEqual({ kind: "deleted", reason: "owner" });
    await session.close();
    await eventually("its connection closes", () => fixture.connections().every(({ account }) => account !== "heidi"));
  });
});
