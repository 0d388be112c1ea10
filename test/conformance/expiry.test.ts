import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRow } from "../../shared/cluster/audit/audit-row.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { disconnectedMs, qrValidityMs } from "../../shared/limits.js";
import { tickMs } from "../../shard/session/deadlines.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { BobSide } from "./bob-side.js";
import { storedState } from "../harness/stored-session.js";
import { eachPlatform } from "./platforms-under-test.js";
import { error, notConnected, sessionNotFound } from "./refused.js";
import { credentialsOf, sendTo } from "./send-to.js";

/** Tests the expiry of unfinished sessions. The test controls the clock. */
let cluster: HeldCluster;
beforeAll(async () => {
  cluster = await startHeldCluster();
});
afterAll(() => cluster.stop());

/** Resolves with the counted time in the stored state. A tick is counted after the session's earlier events. */
async function countedMs({ credentials: { id } }: Caller): Promise<number> {
  const state = isSessionId(id) ? await storedState(cluster.redis.client, id, cluster.ring) : undefined;
  return state !== undefined && "elapsedMs" in state ? state.elapsedMs : 0;
}

const undelete = ({ credentials: { id } }: Caller): Promise<ApiResponse> =>
  request(`${new URL(cluster.telegram[0] ?? "").origin}/admin/sessions/${id}/undelete`, {
    method: "POST",
    headers: { "x-api-key": cluster.adminKey },
  });

describe.each(eachPlatform)("$platform: a session is gone", (underTest) => {
  const { platform, endpoints, otherWaits } = underTest;
  let side: BobSide;
  beforeAll(() => {
    side = new BobSide(cluster, underTest);
  });

  /** Passes time up to the limit, where the session must still exist, and one tick more, where it must be gone. */
  async function expectGoneAfter(caller: Caller, limitMs: number): Promise<void> {
    cluster.pass(limitMs);
    await eventually("all of it counted", async () => (await countedMs(caller)) === limitMs);
    expect((await caller.get("/session")).status).toBe(200);
    cluster.pass(tickMs);
    await eventually("404", async () => (await caller.get("/session")).status === 404);
    for (const { route, body } of Object.values(endpoints))
      expect(await sendTo(cluster[platform][0] ?? "", route, credentialsOf(caller), body), route).toEqual(error(sessionNotFound));
  }

  const shown = (caller: Caller): Promise<string> => eventually("a qrcode", async () => (await caller.record()).qrcode);

  it("when its QR was not scanned within 3 minutes", async () => {
    const caller = await createSession(cluster, platform);
    await shown(caller);
    await expectGoneAfter(caller, qrValidityMs - tickMs);
    const { id } = caller.credentials;
    const audit = `${new URL(cluster.telegram[0] ?? "").origin}/admin/audit?session=${id}`;
    const row = await eventually("on record", async () => {
      const { docs } = (await request(audit, { headers: { "x-api-key": cluster.adminKey } })).body as { docs: AuditRow[] };
      return docs.find(({ what }) => what === "expire-session");
    });
    expect(row).toMatchObject({ who: "cluster", target: "qr-expired", tenant: "default", session: id, status: 200, count: 1 });
  });

  it("when the new QR after a sign-out was not scanned within 3 minutes", async () => {
    const caller = await loggedIn(cluster, "heidi", platform);
    await side.post("/phone/unlink", { account: "heidi" });
    await shown(caller);
    await expectGoneAfter(caller, qrValidityMs - tickMs);
  });

  it.each(otherWaits)("when $waitsFor did not come in time", async ({ lastsMs, creation, scannedBy, isWaiting }) => {
    const caller = await createSession(cluster, platform, creation);
    if (scannedBy !== undefined) await caller.scan(scannedBy);
    await eventually("the wait", async () => isWaiting(await caller.record()));
    await expectGoneAfter(caller, lastsMs - tickMs);
  });

  it("when it was disconnected for more than 30 minutes, not at 30; and an operator brings it back with its login", async () => {
    const caller = await loggedIn(cluster, "bob", platform);
    const before = await eventually("the whole record", async () => {
      const record = await caller.record();
      return record.name !== "" && record;
    });
    expect(await undelete(caller)).toMatchObject({ status: 409, body: { statusCode: 409, message: "session is not deleted" } });
    await side.fault({ account: "bob", kind: "drop", seconds: 600 });
    await eventually("disconnected", async () => !(await caller.record()).isConnected);
    expect(await caller.record()).toMatchObject({ isConnected: false, isPasswordRequired: false, qrcode: "" });
    expect(await caller.get("/group")).toMatchObject(error(notConnected));
    await expectGoneAfter(caller, disconnectedMs);

    await side.clearFaults();
    expect(await undelete(caller)).toMatchObject({ status: 200, body: { id: caller.credentials.id } });
    await eventually("connected again", async () => {
      const { isConnected, qrcode } = await caller.record();
      expect(qrcode).toBe("");
      return isConnected;
    });
    expect(await caller.record()).toMatchObject({ generatedId: before.generatedId, phone: before.phone });
    expect((await caller.get("/group")).status).toBe(200);
    expect(await side.holders("bob")).toHaveLength(1);
    expect(await caller.send("DELETE", "/session")).toMatchObject({ status: 200 });
    expect(await undelete(caller)).toMatchObject(error(sessionNotFound));
  });

  it("not while it is connected", async () => {
    const [caller, other] = [await loggedIn(cluster, "frank", platform), await createSession(cluster, platform)];
    await shown(other);
    cluster.pass(10 * disconnectedMs);
    await eventually("the end of another one", async () => (await other.get("/session")).status === 404);
    expect(await caller.record()).toMatchObject({ isConnected: true });
  });
});
