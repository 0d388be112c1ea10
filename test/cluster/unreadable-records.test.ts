import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bury, readMembers } from "../../shared/cluster/membership.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { disconnectedMs } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import { tickMs } from "../../shard/session/deadlines.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { trunkline, type Said } from "../harness/trunkline.js";

const platforms = ["telegram", "whatsapp"] as const satisfies Platform[];
const idOf = (caller: Caller): SessionId => caller.credentials.id as SessionId;

/** Cases of one cluster run one after the other, because each checks all of its sessions. */
const inTurn = { concurrent: false };

/** A cluster for some of the cases. Three run side by side, because most of their time passes until a shard notices its burial. */
class Place {
  private held: HeldCluster | undefined;

  get cluster(): HeldCluster {
    if (this.held === undefined) throw new Error("not started");
    return this.held;
  }

  static ofSuite(): Place {
    const place = new Place();
    beforeAll(async () => {
      place.held = await startHeldCluster();
    });
    afterAll(() => place.held?.stop());
    return place;
  }

  /** Passes time. Ticks run one after the other, so the witness's end proves that earlier timers have run. */
  async passed(ms: number): Promise<void> {
    const witness = await createSession(this.cluster);
    this.cluster.pass(ms);
    await eventually("the end of a session that nobody scanned", async () => (await witness.get("/session")).status === 404);
  }

  /** Makes the next owner read the stored sessions. */
  async nextOwner(): Promise<void> {
    const { client } = this.cluster.redis;
    const shard = (await readMembers(client)).find(({ name }) => name === "shard-1");
    await bury(client, "shard-1", shard?.incarnation ?? "", "*");
    await eventually("another incarnation", async () => {
      const members = await readMembers(client);
      return members.some(({ name, incarnation, state }) => name === "shard-1" && state === "active" && incarnation !== shard?.incarnation);
    });
  }

  /** Alters stored credentials. If their last owner writes them once more before it stops, alters them again. */
  async alter(caller: Caller, part: string): Promise<{ sound: string; altered: string }> {
    const { client } = this.cluster.redis;
    for (;;) {
      const sound = (await client.hget(keys.session(idOf(caller)), part)) ?? "";
      const altered = `${sound.slice(0, 40)}${sound[40] === "A" ? "B" : "A"}${sound.slice(41)}`;
      await client.hset(keys.session(idOf(caller)), part, altered);
      await this.nextOwner();
      const record = await eventually("what the next owner makes of it", async () => {
        const seen = await caller.record();
        return seen.isConnected || seen.passwordHint !== "" ? seen : undefined;
      });
      if (!record.isConnected) {
        expect(record.passwordHint).toBe("the stored login cannot be opened");
        return { sound, altered };
      }
    }
  }

  async unreadable(): Promise<number> {
    return metricOf(await scrape(this.cluster.adminPorts[1] ?? 0), "gateway_shard_sessions_unreadable_sessions");
  }

  undelete(id: string, key = this.cluster.adminKey): Promise<ApiResponse> {
    return request(`${this.origin}/admin/sessions/${id}/undelete`, { method: "POST", headers: { "x-api-key": key } });
  }

  /** Runs the command as an operator types it. */
  command(id: string): Promise<Said> {
    return trunkline(["session", "undelete", id], { TRUNKLINE_URL: this.origin, TRUNKLINE_KEY: this.cluster.adminKey });
  }

  private get origin(): string {
    return new URL(this.cluster.telegram[0] ?? "").origin;
  }
}

describe.concurrent.each(platforms)("a %s login", (platform) => {
  const place = Place.ofSuite();

  it.each(["creds", "dk"])(
    "whose %s cannot be opened is shown as such, outlives every timer, and connects when it can",
    inTurn,
    async (part) => {
      const { cluster } = place;
      const caller = await loggedIn(cluster, platform === "telegram" ? "alice" : "bob", platform);
      const record = keys.session(idOf(caller));
      const { sound, altered } = await place.alter(caller, part);
      expect(await caller.record()).toMatchObject({ isConnected: false, isPasswordRequired: false, qrcode: "" });
      await eventually("it among the unreadable", async () => (await place.unreadable()) === 1);
      expect(await caller.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
      // A new login would overwrite a record that the right key may open.
      expect(await caller.send("POST", "/session/reset")).toMatchObject({ status: 500, body: { message: "session not connected" } });
      await place.passed(3 * disconnectedMs);
      expect((await caller.get("/session")).status).toBe(200);
      expect(await cluster.redis.client.hget(record, part)).toBe(altered);

      await cluster.redis.client.hset(record, part, sound);
      await place.nextOwner();
      await eventually("connected without a scan", async () => (await caller.record()).isConnected);
      await eventually("none unreadable", async () => (await place.unreadable()) === 0);
      expect((await caller.get("/group")).status).toBe(200);
      expect((await caller.send("DELETE", "/session")).status).toBe(200);
    },
  );

  it("that a timer deleted comes back with the admin's call, connected without a scan, and its time begins anew", inTurn, async () => {
    const { cluster } = place;
    const account = platform === "telegram" ? "carol" : "frank";
    const caller = await loggedIn(cluster, account, platform);
    const { id } = caller.credentials;
    expect(await place.undelete(id)).toMatchObject({ status: 409, body: { message: "session is not deleted" } });
    const before = await cluster.redis.client.hgetall(keys.session(idOf(caller)));
    await caller.phone("/faults", { platform, account, kind: "drop", seconds: 600 });
    await eventually("disconnected", async () => !(await caller.record()).isConnected);
    cluster.pass(disconnectedMs + tickMs);
    await eventually("404", async () => (await caller.get("/session")).status === 404);
    expect(await place.undelete(id, "not-the-key-of-the-test")).toMatchObject({ status: 401 });
    if (platform === "telegram") expect((await place.undelete(id)).body).toEqual({ id });
    else expect(await place.command(id)).toEqual({ code: 0, out: `${id}: restored\n`, err: "" });
    expect(await cluster.redis.client.hgetall(keys.session(idOf(caller)))).toMatchObject({
      dk: before["dk"],
      secretHash: before["secretHash"],
      created: before["created"],
    });
    expect(await cluster.redis.client.pttl(keys.session(idOf(caller)))).toBe(-1);
    expect(await caller.record()).toMatchObject({ isConnected: false });
    await request(`${cluster.sandbox}/faults?platform=${platform}`, { method: "DELETE" });
    await eventually("connected without a scan", async () => (await caller.record()).isConnected);
    expect((await caller.get("/group")).status).toBe(200);
    expect(await place.undelete(id)).toMatchObject({ status: 409 });

    expect((await caller.send("DELETE", "/session")).status).toBe(200);
    // The owner logged the session out, and the record is gone.
    expect(await place.undelete(id)).toMatchObject({ status: 404, body: { statusCode: 404, message: "session not found" } });
  });
});

describe.concurrent("a record", () => {
  const place = Place.ofSuite();

  it(
    "a WhatsApp login of which only keys of conversations cannot be opened outlives the timers too, and is as any other once they can be",
    inTurn,
    async () => {
      const { cluster } = place;
      const caller = await loggedIn(cluster, "grace", "whatsapp");
      const map = keys.secrets(idOf(caller));
      const sound = await cluster.redis.client.hgetallBuffer(map);
      const fields = Object.keys(sound);
      expect(fields.length).toBeGreaterThan(0);
      await cluster.redis.client.hset(map, Object.fromEntries(fields.map((field) => [field, "altered: longer than a nonce and a tag"])));
      await place.nextOwner();
      // Sends a message, because every send needs one of the keys.
      await eventually("a key that does not open", async () => {
        await caller.send("POST", "/message", { phone: "6281155501010", type: "text", text: "Hello" });
        return (await place.unreadable()) === 1;
      });
      await caller.phone("/faults", { platform: "whatsapp", account: "grace", kind: "drop", seconds: 600 });
      await eventually("disconnected", async () => !(await caller.record()).isConnected);
      await place.passed(3 * disconnectedMs);
      expect((await caller.get("/session")).status).toBe(200);
      await request(`${cluster.sandbox}/faults?platform=whatsapp`, { method: "DELETE" });
      await cluster.redis.client.hset(map, sound);
      // The same owner repeats its check every minute.
      await eventually("none unreadable", async () => (await place.unreadable()) === 0);
      expect((await caller.send("DELETE", "/session")).status).toBe(200);
    },
  );

  it("a record that is not even a session's keeps no other from its owner, and is counted", inTurn, async () => {
    const { cluster } = place;
    const [broken, sound] = [await createSession(cluster), await loggedIn(cluster, "bob", "telegram")];
    await cluster.redis.client.hset(keys.session(idOf(broken)), "state", "{");
    await place.nextOwner();
    await eventually("the other one connected", async () => (await sound.record()).isConnected);
    // The record may show the former owner's connection for a moment.
    await eventually("the broken one counted", async () => (await place.unreadable()) === 1);
    expect(await cluster.redis.client.hget(keys.session(idOf(broken)), "state")).toBe("{");
  });

  it("nobody has deleted what was never there", inTurn, async () => {
    for (const id of ["6b01aa5342b4f53c9f4c7e33", "no-id"])
      expect(await place.undelete(id)).toMatchObject({ status: 404, body: { message: "session not found" } });
  });
});
