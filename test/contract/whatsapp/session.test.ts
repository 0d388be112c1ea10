import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../../router/whatsapp/session-record.js";
import type { PasskeyStatus } from "../../../shared/contract/passkey.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";

/** Tests the session features of variant A only: the pairing code, the passkey, and the close codes. */
let gateway: TestCluster;
let platform: WhatsAppSide;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new WhatsAppSide(gateway);
});
afterAll(() => gateway.stop());

const recordOf = (caller: Caller): Promise<SessionRecord> => caller.record<SessionRecord>();
const waitingRecord = {
  isConnected: false,
  isPasswordRequired: false,
  passwordHint: "",
  generatedId: "",
  name: "",
  phone: "",
  picture: "",
};

describe("login of an account with a passkey", () => {
  const base = (): string => gateway.whatsapp[0] ?? "";
  /** Sends a request as the account owner's browser, which has the attempt's token but not the session's secret. */
  const withToken = (id: string, token: string, path = "/session/passkey", body?: unknown): Promise<ApiResponse> =>
    request(`${base()}${path}`, {
      headers: { id, "passkey-token": token, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  const statusOf = async (caller: Caller): Promise<PasskeyStatus> => (await caller.get("/session/passkey")).body as PasskeyStatus;
  const answerTo = async (options: PasskeyStatus["options"]): Promise<unknown> =>
    ((await platform.post("/phone/passkey", { account: "passkey", options })).body as { credential: unknown }).credential;
  const asked = async (): Promise<{ caller: Caller; status: PasskeyStatus }> => {
    const caller = await createSession(gateway, "whatsapp");
    expect(await statusOf(caller)).toEqual({ state: "none", options: null, code: "", expires: "", reason: "", token: "" });
    await caller.scan("passkey");
    return {
      caller,
      status: await eventually("the challenge", async () =>
        (await statusOf(caller)).state === "challenge" ? statusOf(caller) : undefined,
      ),
    };
  };

  it("shows the challenge in the place of codes; answered in a browser that knows the attempt's token alone, it connects", async () => {
    const { caller, status } = await asked();
    const { id } = caller.credentials;
    expect(status).toMatchObject({ options: { rpId: "whatsapp.com", userVerification: "required" }, code: "", reason: "" });
    expect(Date.parse(status.expires) - Date.now()).toBeGreaterThan(500_000);
    const passwordHint = "the account's passkey is asked for (GET /session/passkey)";
    expect(await recordOf(caller)).toMatchObject({ ...waitingRecord, passwordHint, qrcode: "", pairingCode: "" });
    expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
    expect((await withToken(id, status.token)).body).toEqual(status);
    const credential = await answerTo(status.options);
    expect(await withToken(id, status.token, "/session/passkey", { credential })).toMatchObject({ status: 200, body: { id } });
    expect(await withToken(id, status.token, "/session/passkey", { credential })).toMatchObject({ status: expect.toBeOneOf([404, 409]) });
    await eventually("connected", async () => (await recordOf(caller)).isConnected);
    expect(await statusOf(caller)).toMatchObject({ state: "done", token: "" });
    // The token still returns the state for a while, but accepts nothing more.
    expect(await withToken(id, status.token)).toMatchObject({ status: 200, body: { state: "done", token: "", options: null } });
    expect(await withToken(id, status.token, "/session/passkey", { credential })).toMatchObject({ status: 409 });
    expect(await withToken(id, status.token, "/session/passkey/confirm", {})).toMatchObject({ status: 409 });
    expect(await withToken(id, status.token, "/session")).toMatchObject({ status: 400 });
    expect(await caller.send("DELETE", "/session")).toMatchObject({ status: 200 });
  });

  it("lets a token do nothing else, and no other one anything", async () => {
    const { caller, status } = await asked();
    const { id } = caller.credentials;
    for (const path of ["/session", "/group"]) expect(await withToken(id, status.token, path)).toMatchObject({ status: 400 });
    const altered = `${status.token.slice(0, -2)}${status.token.endsWith("AA") ? "BB" : "AA"}`;
    expect(await withToken(id, altered)).toMatchObject({ status: 404, body: { message: "session not found" } });
    expect(await withToken(id, "")).toMatchObject({ status: 400, body: { message: "invalid header" } });
    const other = await createSession(gateway, "whatsapp");
    expect(await withToken(other.credentials.id, status.token)).toMatchObject({ status: 404 });
    await caller.send("DELETE", "/session");
  });

  it("is completed from the platform's own pages too, with the attempt's token only and on that path only", async () => {
    const platformPage = "https://web.whatsapp.com";
    const whoMay = async (path: string, init: RequestInit & { headers: Record<string, string> }): Promise<(string | null)[]> => {
      const { headers } = await request(`${base()}${path}`, init);
      return ["origin", "methods", "headers"].map((name) => headers.get(`access-control-allow-${name}`));
    };
    const question = (origin: string): RequestInit & { headers: Record<string, string> } => ({
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "passkey-token,session-id" },
    });
    // Neither the session's secret nor a key is an allowed header.
    const allowed = [platformPage, "GET, HEAD, POST", "content-type, id, passkey-token, x-request-id"];
    expect(await whoMay("/session/passkey", question(platformPage))).toEqual(allowed);
    const nobody = [null, null, null];
    for (const path of ["/session/passkey/confirm", "/session", "/session/webhook", "/message"])
      expect([path, ...(await whoMay(path, question(platformPage)))]).toEqual([path, ...nobody]);
    for (const origin of ["https://whatsapp.com", "https://web.whatsapp.com.example", "http://web.whatsapp.com", "null"])
      expect([origin, ...(await whoMay("/session/passkey", question(origin)))]).toEqual([origin, ...nobody]);

    const { caller, status } = await asked();
    const { id } = caller.credentials;
    const headers = { origin: platformPage, id, "passkey-token": status.token };
    const read = await request(`${base()}/session/passkey`, { headers });
    expect(read).toMatchObject({ status: 200, body: status });
    expect(read.headers.get("access-control-allow-origin")).toBe(platformPage);
    const body = JSON.stringify({ credential: await answerTo(status.options) });
    const sent = await request(`${base()}/session/passkey`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(sent).toMatchObject({ status: 200, body: { id } });
    await eventually("connected", async () => (await recordOf(caller)).isConnected);
    // No page may read the record.
    expect(await whoMay("/session", { headers: { origin: platformPage, ...caller.credentials } })).toEqual(nobody);
    await caller.send("DELETE", "/session");
  });

  it("says why when the platform refuses it, until the session is reset", async () => {
    const { caller, status } = await asked();
    await platform.post("/faults", { kind: "error", method: "iq md passkey_prologue", error: "400 bad-request" });
    const credential = await answerTo(status.options);
    expect(await caller.send("POST", "/session/passkey", { credential })).toMatchObject({ status: 500 });
    const reason = "the platform refused the passkey (400); reset the session to try again";
    expect(await statusOf(caller)).toMatchObject({ state: "failed", reason, token: "" });
    // The account's owner reads the failure too, but the token accepts nothing more.
    const { id } = caller.credentials;
    expect((await withToken(id, status.token)).body).toEqual(await statusOf(caller));
    expect(await withToken(id, status.token, "/session/passkey", { credential })).toMatchObject({ status: 409 });
    expect(await withToken(id, status.token, "/session/passkey/confirm", {})).toMatchObject({ status: 409 });
    expect(await recordOf(caller)).toMatchObject({ ...waitingRecord, passwordHint: reason, qrcode: "", pairingCode: "" });
    expect(await caller.send("POST", "/session/reset")).toMatchObject({ status: 200 });
    await eventually("a new code", async () => (await recordOf(caller)).qrcode);
    expect(await statusOf(caller)).toMatchObject({ state: "none" });
    expect(await withToken(id, status.token)).toMatchObject({ status: 404, body: { message: "session not found" } });
  });
});

describe("login by pairing code", () => {
  const codeOf = (caller: Caller): Promise<string> => eventually("a pairing code", async () => (await recordOf(caller)).pairingCode);

  it("shows a code instead of a QR; typed on the phone it connects", async () => {
    const phone = await platform.phoneOf("heidi");
    const caller = await createSession(gateway, "whatsapp", { phone: `+${phone.slice(0, 2)} ${phone.slice(2, 6)}-${phone.slice(6)}` });
    const code = await codeOf(caller);
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    expect(await recordOf(caller)).toMatchObject({ ...waitingRecord, qrcode: "" });
    expect(await platform.post("/phone/code", { account: "heidi", code })).toMatchObject({ status: 200 });
    await eventually("heidi connected", async () => (await recordOf(caller)).isConnected);
    expect(await recordOf(caller)).toMatchObject({ phone, pairingCode: "", qrcode: "" });
    expect((await caller.get("/group")).status).toBe(200);
  });

  it("does not connect by a wrong one", async () => {
    const caller = await createSession(gateway, "whatsapp", { phone: await platform.phoneOf("ivan") });
    const code = await codeOf(caller);
    const wrong = code.startsWith("A") ? `B${code.slice(1)}` : `A${code.slice(1)}`;
    expect((await platform.post("/phone/code", { account: "ivan", code: wrong })).status).not.toBe(200);
    expect(await recordOf(caller)).toMatchObject(waitingRecord);
  });
});

describe("a lost connection", () => {
  it.each(["428", "500", "503", "515"])("closed with %s: back by itself, without a QR", async (error) => {
    const caller = await loggedIn(gateway, "bob", "whatsapp");
    expect((await platform.post("/faults", { account: "bob", kind: "close", error })).status).toBe(200);
    await eventually("groups again", async () => (await caller.get("/group")).status === 200);
    await eventually("connected", async () => (await recordOf(caller)).isConnected);
    expect((await recordOf(caller)).qrcode).toBe("");
    await caller.send("DELETE", "/session");
  });

  it("no account was ever held twice", async () => {
    expect(await platform.docs("/overlaps?platform=whatsapp")).toEqual([]);
  });
});
