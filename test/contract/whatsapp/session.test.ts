import jsQR from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../../router/whatsapp/session-record.js";
import { createSession, loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startGateway, type Gateway } from "../../harness/gateway.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";

/** POST /session, GET /session, POST /session/reset, DELETE /session: login by QR and by pairing code, and the ways out. */
let gateway: Gateway;
let platform: WhatsAppSide;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  platform = new WhatsAppSide(gateway);
});
afterAll(() => gateway.stop());

const recordOf = (caller: Caller): Promise<SessionRecord> => caller.record<SessionRecord>();
const connectionsOf = async (account: string): Promise<unknown[]> =>
  (await platform.docs("/connections?platform=whatsapp")).filter((row) => row["account"] === account);
const waitingRecord = {
  isConnected: false,
  isPasswordRequired: false,
  passwordHint: "",
  generatedId: "",
  name: "",
  phone: "",
  picture: "",
};

describe("login by QR", () => {
  it("shows a code that a camera can read, and no pairing code", async () => {
    const caller = await createSession(gateway, "whatsapp");
    const qrcode = await eventually("a qrcode", async () => (await recordOf(caller)).qrcode);
    const { data, info } = await sharp(Buffer.from(qrcode, "base64")).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toMatch(
      /^https:\/\/wa\.me\/settings\/linked_devices#[^,]+(,[^,]+){4}$/,
    );
    expect(await recordOf(caller)).toMatchObject({
      ...caller.credentials,
      ...waitingRecord,
      pairingCode: "",
      webhook: { url: "", token: "" },
    });
  });

  it("connects, with the whole record", async () => {
    const caller = await loggedIn(gateway, "grace", "whatsapp");
    // The name follows once the account is connected.
    await eventually("the name", async () => (await recordOf(caller)).name);
    const phone = await platform.phoneOf("grace");
    expect(await recordOf(caller)).toMatchObject({
      ...caller.credentials,
      isConnected: true,
      qrcode: "",
      pairingCode: "",
      phone,
      name: "غريس الحسن 🕊️",
      isPasswordRequired: false,
      passwordHint: "",
      webhook: { url: "", token: "" },
    });
    expect((await recordOf(caller)).generatedId).not.toBe("");
    await caller.send("DELETE", "/session");
  });

  it("shows the account's picture", async () => {
    const caller = await loggedIn(gateway, "grace", "whatsapp");
    expect(await eventually("the picture", async () => (await recordOf(caller)).picture)).toMatch(/^data:image\/jpeg;base64,/);
  });

  it("says so when an account's phone asks for a passkey, and shows no further code", async () => {
    const caller = await createSession(gateway, "whatsapp");
    await caller.scan("passkey");
    const passwordHint = await eventually("the reason", async () => (await recordOf(caller)).passwordHint);
    expect(passwordHint).toBe("the phone asks for a passkey to link this device, which is not supported; reset the session to try again");
    expect(await recordOf(caller)).toMatchObject({ ...waitingRecord, passwordHint, qrcode: "", pairingCode: "" });
    expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
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

describe("the ways out", () => {
  it("reset: logged out on the platform, and a new QR at once", async () => {
    const caller = await loggedIn(gateway, "kenji", "whatsapp");
    expect(await caller.send("POST", "/session/reset")).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    await eventually("a qrcode", async () => (await recordOf(caller)).qrcode);
    expect(await recordOf(caller)).toMatchObject(waitingRecord);
    await eventually("no connection", async () => (await connectionsOf("kenji")).length === 0);
    expect((await caller.scan("kenji")).status).toBe(200);
    await eventually("connected again", async () => (await recordOf(caller)).isConnected);
  });

  it("delete: logged out on the platform, and unknown from then on", async () => {
    const caller = await loggedIn(gateway, "judy", "whatsapp");
    expect(await caller.send("DELETE", "/session")).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    expect(await caller.get("/session")).toMatchObject({ status: 404, body: { statusCode: 404, message: "session not found" } });
    await eventually("no connection", async () => (await connectionsOf("judy")).length === 0);
    expect((await platform.post("/phone/unlink", { account: "judy" })).status).toBe(404);
  });

  it("unlinked on the phone: a new QR right away", async () => {
    const caller = await loggedIn(gateway, "mallory", "whatsapp");
    expect((await platform.post("/phone/unlink", { account: "mallory" })).status).toBe(200);
    await eventually("a new qrcode", async () => {
      const { isConnected, qrcode } = await recordOf(caller);
      return !isConnected && qrcode !== "";
    });
    expect(await caller.send("POST", "/message", { phone: await platform.phoneOf("bob"), type: "text", text: "x" })).toMatchObject({
      status: 500,
      body: { message: "session not connected" },
    });
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

  it("nobody ever held an account twice", async () => {
    expect(await platform.docs("/overlaps?platform=whatsapp")).toEqual([]);
  });
});
