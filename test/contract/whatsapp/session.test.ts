import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../../router/whatsapp/session-record.js";
import { createSession, loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";

/** What variant A alone has in a session's life: the pairing code, the passkey, and the close codes of its connections. */
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

it("says so when an account's phone asks for a passkey, and shows no further code", async () => {
  const caller = await createSession(gateway, "whatsapp");
  await caller.scan("passkey");
  const passwordHint = await eventually("the reason", async () => (await recordOf(caller)).passwordHint);
  expect(passwordHint).toBe("the phone asks for a passkey to link this device, which is not supported; reset the session to try again");
  expect(await recordOf(caller)).toMatchObject({ ...waitingRecord, passwordHint, qrcode: "", pairingCode: "" });
  expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
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

  it("nobody ever held an account twice", async () => {
    expect(await platform.docs("/overlaps?platform=whatsapp")).toEqual([]);
  });
});
