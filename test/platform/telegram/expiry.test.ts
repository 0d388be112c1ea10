import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnectedMs, passwordWaitMs, qrValidityMs } from "../../../shared/limits.js";
import { tickMs } from "../../../shard/session/deadlines.js";
import { createSession, loggedIn, type Caller } from "../../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";

let cluster: HeldCluster;
beforeAll(async () => {
  cluster = await startHeldCluster();
});
afterAll(() => cluster.stop());

const session = (): Promise<Caller> => createSession(cluster);
const isGone = async (caller: Caller): Promise<boolean> => {
  const answer = await caller.get("/session");
  if (answer.status === 404) expect(answer.body).toEqual({ statusCode: 404, message: "session not found" });
  return answer.status === 404;
};
/** Ticks are counted one after another behind the session's other events: a later event has seen them all. */
const staysFor = async (caller: Caller): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await isGone(caller)).toBe(false);
};

describe("sessions that nobody completes", () => {
  it("are gone when the QR was not scanned within 3 minutes", async () => {
    const caller = await session();
    await eventually("a qrcode", async () => (await caller.record()).qrcode);
    cluster.pass(qrValidityMs - tickMs);
    await staysFor(caller);
    cluster.pass(tickMs);
    await eventually("404", () => isGone(caller));
    expect(await caller.send("POST", "/session/password", { password: "x" })).toMatchObject({
      status: 404,
      body: { message: "session not found" },
    });
  });

  it("are gone when the new QR after a removed device was not scanned within 3 minutes", async () => {
    const caller = await loggedIn(cluster, "heidi");
    await caller.phone("/phone/unlink", { platform: "telegram", account: "heidi" });
    await eventually("a new qrcode", async () => (await caller.record()).qrcode);
    cluster.pass(qrValidityMs - tickMs);
    await staysFor(caller);
    cluster.pass(tickMs);
    await eventually("404", () => isGone(caller));
  });

  it("are gone when no password came within 30 minutes", async () => {
    const caller = await session();
    await caller.scan("dave");
    await eventually("password required", async () => (await caller.record()).isPasswordRequired);
    cluster.pass(passwordWaitMs - tickMs);
    await staysFor(caller);
    cluster.pass(tickMs);
    await eventually("404", () => isGone(caller));
  });

  it("are gone when they were disconnected for more than 30 minutes, not at 30", async () => {
    const caller = await loggedIn(cluster, "bob");
    await caller.phone("/faults", { platform: "telegram", account: "bob", kind: "refuse", seconds: 600 });
    await caller.phone("/faults", { platform: "telegram", account: "bob", kind: "drop" });
    await eventually("disconnected", async () => !(await caller.record()).isConnected);
    expect(await caller.record()).toMatchObject({ isConnected: false, isPasswordRequired: false, qrcode: "" });
    expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
    cluster.pass(disconnectedMs);
    await staysFor(caller);
    cluster.pass(tickMs);
    await eventually("404", () => isGone(caller));
  });

  it("do not grow old while connected", async () => {
    const [caller, other] = [await loggedIn(cluster, "frank"), await session()];
    await eventually("a qrcode", async () => (await other.record()).qrcode);
    cluster.pass(10 * disconnectedMs);
    await eventually("the end of another one", () => isGone(other));
    expect(await caller.record()).toMatchObject({ isConnected: true });
  });
});
