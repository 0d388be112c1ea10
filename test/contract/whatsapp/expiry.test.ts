import { afterAll, beforeAll, expect, it } from "vitest";
import type { SessionRecord } from "../../../router/whatsapp/session-record.js";
import { disconnectedMs, qrValidityMs } from "../../../shared/limits.js";
import { tickMs } from "../../../shard/session/deadlines.js";
import { createSession, loggedIn, request, type Caller } from "../../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";

let cluster: HeldCluster;
beforeAll(async () => {
  cluster = await startHeldCluster();
});
afterAll(() => cluster.stop());

/** Lets time pass up to the limit, where the session must still be there, and one tick beyond, where it must not. */
async function expectGoneAfter(caller: Caller, limitMs: number): Promise<void> {
  cluster.pass(limitMs);
  // Ticks are counted behind the session's other events.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await caller.get("/session")).status).toBe(200);
  cluster.pass(tickMs);
  await eventually("404", async () => (await caller.get("/session")).status === 404);
  expect(await caller.get("/group")).toMatchObject({ status: 404, body: { statusCode: 404, message: "session not found" } });
}

it("a QR that nobody scans within 3 minutes", async () => {
  const caller = await createSession(cluster, "whatsapp");
  await eventually("a qrcode", async () => (await caller.record()).qrcode);
  await expectGoneAfter(caller, qrValidityMs - tickMs);
});

it("a pairing code that nobody types within 3 minutes", async () => {
  const caller = await createSession(cluster, "whatsapp", { phone: "6281155501010" });
  await eventually("a code", async () => (await caller.record<SessionRecord>()).pairingCode);
  await expectGoneAfter(caller, qrValidityMs - tickMs);
});

it("an account whose phone waits for a passkey", async () => {
  const caller = await createSession(cluster, "whatsapp");
  await caller.scan("passkey");
  await eventually("the reason", async () => (await caller.record()).passwordHint);
  await expectGoneAfter(caller, qrValidityMs - tickMs);
});

it("a connection that was lost for more than 30 minutes", async () => {
  const caller = await loggedIn(cluster, "bob", "whatsapp");
  await caller.phone("/faults", { platform: "whatsapp", account: "bob", kind: "drop", seconds: 600 });
  await eventually("disconnected", async () => !(await caller.record()).isConnected);
  expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
  await expectGoneAfter(caller, disconnectedMs);
  await request(`${cluster.sandbox}/faults?platform=whatsapp`, { method: "DELETE" });
});

it("not one that is connected", async () => {
  const [caller, other] = [await loggedIn(cluster, "carol", "whatsapp"), await createSession(cluster, "whatsapp")];
  await eventually("a qrcode", async () => (await other.record()).qrcode);
  cluster.pass(10 * disconnectedMs);
  await eventually("the end of another one", async () => (await other.get("/session")).status === 404);
  expect(await caller.record()).toMatchObject({ isConnected: true });
});
