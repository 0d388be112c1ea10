import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { announceMemberState, bury, heartbeat, join, readMembers } from "../../shared/cluster/membership.js";
import { acquire, readOwners, type SlotToken } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { newCommandId, newSessionId } from "../../shared/contract/ids.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import { keys } from "../../shared/redis/keys.js";
import { FencedError } from "../../shared/redis/script.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import type { Outcome } from "../../shared/bus/envelope.js";
import { CommandLog } from "../../shard/bus/command-log.js";
import { SlotStateWrites } from "../../shard/cluster/slot-state-writes.js";
import { anyLife } from "../harness/owned-session.js";
import { findings } from "../harness/redis-dump.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { newSession } from "../harness/new-session.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
});

const ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);
const member = (name: string, incarnation: string) => ({ name, incarnation, host: "h1", weight: 1 });

describe("membership", () => {
  it("lets one incarnation of a name live at a time", async () => {
    expect(await join(redis.client, member("a", "i1"))).toBe(true);
    expect(await join(redis.client, member("a", "i2"))).toBe(false);
    expect(await heartbeat(redis.client, "a", "i1")).toBe(2);
    expect(await heartbeat(redis.client, "a", "i2")).toBeUndefined();
  });
  it("buries only a member whose sequence has not moved", async () => {
    await join(redis.client, member("a", "i1"));
    await heartbeat(redis.client, "a", "i1");
    expect(await bury(redis.client, "a", "i1", "1")).toBe(false);
    expect(await bury(redis.client, "a", "i1", "2")).toBe(true);
    expect(await heartbeat(redis.client, "a", "i1")).toBeUndefined();
    expect(await readMembers(redis.client)).toMatchObject([{ state: "dead", buriedBy: "timeout" }]);
  });
  it("lets a supervisor bury the incarnation that it reaped, and no later one", async () => {
    await join(redis.client, member("a", "i1"));
    expect(await bury(redis.client, "a", "i1", "*")).toBe(true);
    expect(await join(redis.client, member("a", "i2"))).toBe(true);
    expect(await bury(redis.client, "a", "i1", "*")).toBe(false);
    expect(await heartbeat(redis.client, "a", "i2")).toBe(2);
  });
  it("does not bury a member that left cleanly", async () => {
    await join(redis.client, member("a", "i1"));
    await announceMemberState(redis.client, "a", "i1", "gone");
    expect(await bury(redis.client, "a", "i1", "*")).toBe(false);
    expect(await join(redis.client, member("a", "i2"))).toBe(true);
  });
});

describe("slot ownership", () => {
  const a1 = member("a", "i1");
  const b1 = member("b", "j1");
  it("gives a slot to one member, the same token to the same incarnation", async () => {
    const first = await acquire(redis.client, 7, a1, undefined);
    expect(first).toMatchObject({ how: "new" });
    expect(await acquire(redis.client, 7, a1, undefined)).toMatchObject({ how: "same", token: first?.token });
    expect(await acquire(redis.client, 7, b1, undefined)).toBeUndefined();
  });
  it("passes a slot on only from the exact incarnation that is dead, under a larger token", async () => {
    const first = await acquire(redis.client, 7, a1, undefined);
    expect(await acquire(redis.client, 7, b1, { name: "a", incarnation: "i0" })).toBeUndefined();
    const second = await acquire(redis.client, 7, b1, { name: "a", incarnation: "i1" });
    expect(second).toMatchObject({ how: "dead", previousHost: "h1" });
    expect(BigInt(second?.token ?? 0) > BigInt(first?.token ?? 0)).toBe(true);
  });
  it("refuses a former owner's release", async () => {
    const first = await acquire(redis.client, 7, a1, undefined);
    await acquire(redis.client, 7, b1, { name: "a", incarnation: "i1" });
    const states = new SlotStateWrites(redis.client);
    await expect(states.set(7, first?.token ?? ("" as SlotToken), "free")).rejects.toBeInstanceOf(FencedError);
    expect(await readOwners(redis.client, [7, 8])).toMatchObject([{ member: "b", state: "held" }, undefined]);
  });
  it("keeps tokens growing over a Redis that forgot the last ones", async () => {
    const first = await acquire(redis.client, 7, a1, undefined);
    await redis.client.del(keys.owner(7));
    const second = await acquire(redis.client, 7, b1, undefined);
    expect(BigInt(second?.token ?? 0) >= BigInt(first?.token ?? 0)).toBe(true);
  });
});

describe("fenced session writes", () => {
  const setUp = async () => {
    const writer = new SessionWriter(redis.client, ring);
    const id = newSessionId(Date.now());
    const owned = await acquire(redis.client, slotOf(id), member("a", "i1"), undefined);
    const token = owned?.token ?? ("" as SlotToken);
    expect(await writer.create({ id, token }, "telegram", newSession("hash"), new Date())).toBe("NEW");
    return { writer, id, token };
  };
  const takeOver = async (id: Awaited<ReturnType<typeof setUp>>["id"]): Promise<SlotToken> => {
    const taken = await acquire(redis.client, slotOf(id), member("b", "j1"), { name: "a", incarnation: "i1" });
    return taken?.token ?? ("" as SlotToken);
  };

  it("creates once: a repeat is the same outcome, another secret is refused", async () => {
    const { writer, id, token } = await setUp();
    expect(await writer.create({ id, token }, "telegram", newSession("hash"), new Date())).toBe("EXISTS");
    expect(await writer.create({ id, token }, "telegram", newSession("other"), new Date())).toBe("TAKEN");
  });
  it("keeps credentials as ciphertext that opens for their own session only", async () => {
    const { writer, id, token } = await setUp();
    await writer.writeCredentials({ id, token }, Buffer.from("auth-key-material"));
    expect((await writer.readCredentials(id))?.toString()).toBe("auth-key-material");
    const stored = await redis.client.hgetall(keys.session(id));
    expect(JSON.stringify(stored)).not.toContain("auth-key-material");
    const other = newSessionId(Date.now());
    await redis.client.hset(keys.session(other), stored);
    await expect(writer.readCredentials(other)).rejects.toThrow();
  });
  it("refuses every write of a former owner", async () => {
    const { writer, id, token } = await setUp();
    const late = { id, token };
    await takeOver(id);
    await expect(writer.writeState(late, { kind: "awaiting-qr", qr: "", elapsedMs: 1 }, anyLife, "")).rejects.toBeInstanceOf(FencedError);
    await expect(writer.writeCredentials(late, Buffer.from("x"))).rejects.toBeInstanceOf(FencedError);
    await expect(writer.clearCredentials(late)).rejects.toBeInstanceOf(FencedError);
    await expect(writer.peers(late).setMany(new Map([["1", "p"]]), 10)).rejects.toBeInstanceOf(FencedError);
    await expect(writer.peers(late).clear()).rejects.toBeInstanceOf(FencedError);
    await expect(writer.secrets(late).apply(new Map([["session:1", Buffer.from("x")]]))).rejects.toBeInstanceOf(FencedError);
    await expect(writer.secrets(late).clear()).rejects.toBeInstanceOf(FencedError);
    await expect(writer.secrets(late).keepSent("3EB0", Buffer.from("x"))).rejects.toBeInstanceOf(FencedError);
    await expect(writer.updates(late).advance({ cursor: "9", events: [], messages: new Map() })).rejects.toBeInstanceOf(FencedError);
    await expect(writer.updates(late).forget()).rejects.toBeInstanceOf(FencedError);
    await expect(writer.remove(late, undefined)).rejects.toBeInstanceOf(FencedError);
    await expect(writer.create(late, "telegram", newSession("hash"), new Date())).rejects.toBeInstanceOf(FencedError);
    const log = new CommandLog(redis.client, ring);
    await expect(log.begin(slotOf(id), token, newCommandId(), "once", "claim")).rejects.toBeInstanceOf(FencedError);
    await expect(log.finish(slotOf(id), token, newCommandId(), { kind: "ok", output: 1 })).rejects.toBeInstanceOf(FencedError);
    expect(await redis.client.exists(keys.session(id))).toBe(1);
  });
  it("refuses a write after the slot was given back", async () => {
    const { writer, id, token } = await setUp();
    await new SlotStateWrites(redis.client).set(slotOf(id), token, "free");
    await expect(writer.writeCredentials({ id, token }, Buffer.from("x"))).rejects.toBeInstanceOf(FencedError);
  });
  it("does not bring a deleted session back by a late write", async () => {
    const { writer, id, token } = await setUp();
    const dataKey = writer.dataKey({ id, token });
    await dataKey.get();
    expect(await writer.remove({ id, token }, undefined)).toBe(true);
    await writer.writeCredentials({ id, token }, Buffer.from("late"));
    expect(await writer.writeState({ id, token }, { kind: "awaiting-qr", qr: "", elapsedMs: 0 }, anyLife, "")).toBe(false);
    expect(await redis.client.exists(keys.session(id))).toBe(0);
    await writer.peers({ id, token }, dataKey).setMany(new Map([["1", "late"]]), 10);
    expect(await redis.client.exists(keys.peers(id))).toBe(0);
  });
  it("lets a timer delete only the state that it judged, and keeps that for a day", async () => {
    const { writer, id, token } = await setUp();
    const judged = { kind: "awaiting-qr", qr: "x", elapsedMs: 5 } as const;
    await writer.writeState({ id, token }, { ...judged, elapsedMs: 6 }, anyLife, "");
    expect(await writer.remove({ id, token }, judged)).toBe(false);
    await writer.writeState({ id, token }, judged, anyLife, "");
    expect(await writer.remove({ id, token }, judged)).toBe(true);
    expect(await redis.client.exists(keys.session(id))).toBe(0);
    expect(await redis.client.ttl(keys.trash(keys.session(id)))).toBeGreaterThan(86_000);
  });
  it("never stores the text of a QR, and its picture for 60 s at most", async () => {
    const { writer, id, token } = await setUp();
    await writer.writeState({ id, token }, { kind: "awaiting-qr", qr: "tg://login?token=secret", elapsedMs: 0 }, anyLife, "cG5n");
    expect(await redis.client.hget(keys.session(id), "state")).not.toContain("secret");
    expect(await redis.client.strlen(keys.qr(id))).toBeGreaterThan(0);
    expect(await redis.client.get(keys.qr(id))).not.toContain("cG5n");
    expect(await redis.client.pttl(keys.qr(id))).toBeLessThanOrEqual(60_000);
  });
  it("bounds a session's peers", async () => {
    const { writer, id, token } = await setUp();
    await writer.peers({ id, token }).setMany(new Map(Array.from({ length: 50 }, (_, i) => [String(i), "p"])), 20);
    expect(await redis.client.hlen(keys.peers(id))).toBe(20);
  });
  it("changes secrets together, as ciphertext that opens for their own field only", async () => {
    const { writer, id, token } = await setUp();
    const secrets = writer.secrets({ id, token });
    await secrets.apply(
      new Map([
        ["session:1", Buffer.from("ratchet")],
        ["pre-key:2", Buffer.from("pair")],
      ]),
    );
    await secrets.apply(
      new Map([
        ["session:1", Buffer.from("ratchet again")],
        ["pre-key:2", undefined],
      ]),
    );
    expect(await secrets.getMany(["session:1", "pre-key:2"])).toEqual([Buffer.from("ratchet again"), undefined]);
    const stored = await redis.client.hgetallBuffer(keys.secrets(id));
    const [name = "", sealed] = Object.entries(stored)[0] ?? [];
    expect(name).not.toContain("session:1");
    expect(sealed?.includes("ratchet")).toBe(false);
    await secrets.apply(new Map([["session:9", Buffer.from("other")]]));
    const other = (await redis.client.hkeys(keys.secrets(id))).find((field) => field !== name) ?? "";
    await redis.client.hset(keys.secrets(id), other, sealed ?? "");
    await expect(secrets.getMany(["session:9"])).rejects.toThrow();
    expect(await writer.secrets({ id, token }).getMany(["session:1"])).toEqual([Buffer.from("ratchet again")]);
    await secrets.clear();
    expect(await secrets.getMany(["session:1"])).toEqual([undefined]);
  });
  it("takes a thousand secrets in one write", async () => {
    const { writer, id, token } = await setUp();
    const secrets = writer.secrets({ id, token });
    const changes = new Map(Array.from({ length: 2_500 }, (_, i) => [`pre-key:${i}`, Buffer.from(String(i))] as const));
    await secrets.apply(changes);
    expect(await secrets.getMany([...changes.keys()])).toEqual([...changes.values()]);
  });
  it("keeps the content of sent messages for a day, the latest 2,000 of them", async () => {
    const { writer, id, token } = await setUp();
    const secrets = writer.secrets({ id, token });
    await secrets.keepSent("FIRST", Buffer.from("first"));
    expect((await secrets.readSent("FIRST"))?.toString()).toBe("first");
    expect(await secrets.readSent("OTHER")).toBeUndefined();
    expect(Math.abs(Date.now() - ((await secrets.readSentAt("FIRST")) ?? 0))).toBeLessThan(60_000);
    expect(await secrets.readSentAt("OTHER")).toBeUndefined();
    expect(await redis.client.pttl(keys.sent(id, "FIRST"))).toBeGreaterThan(23 * 3_600_000);
    for (let from = 0; from < 2_000; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, i) => secrets.keepSent(`M${from + i}`, Buffer.from("x"))));
    expect(await secrets.readSent("FIRST")).toBeUndefined();
    expect(await secrets.readSent("M1999")).toEqual(Buffer.from("x"));
  });
  it("deletes secrets and sent messages with their session, and a timer's deletion keeps the secrets for a day", async () => {
    for (const judged of [undefined, { kind: "awaiting-qr", qr: "", elapsedMs: 5 } as const]) {
      const { writer, id, token } = await setUp();
      const secrets = writer.secrets({ id, token });
      if (judged !== undefined) await writer.writeState({ id, token }, judged, anyLife, "");
      await secrets.apply(new Map([["session:1", Buffer.from("x")]]));
      await secrets.keepSent("M1", Buffer.from("x"));
      expect(await writer.remove({ id, token }, judged)).toBe(true);
      expect(await redis.client.exists(keys.secrets(id), keys.sent(id, "M1"), keys.sentIndex(id))).toBe(0);
      expect(await redis.client.exists(keys.trash(keys.secrets(id)))).toBe(judged === undefined ? 0 : 1);
      await secrets.apply(new Map([["session:2", Buffer.from("late")]]));
      await secrets.keepSent("M2", Buffer.from("late"));
      expect(await redis.client.exists(keys.secrets(id), keys.sent(id, "M2"))).toBe(0);
    }
  });
  it("restarts the time of a restored session, and reports its last error", async () => {
    const { writer, id, token } = await setUp();
    const waiting = { kind: "awaiting-qr", qr: "", elapsedMs: 5_000 } as const;
    const life = { since: new Date("2026-01-01T00:00:00.000Z"), lastError: "ECONNRESET" };
    await writer.writeState({ id, token }, waiting, life, "");
    expect(await writer.remove({ id, token }, waiting)).toBe(true);
    const before = Date.now();
    const session = await writer.undelete({ id, token }, newCommandId());
    expect(session).toMatchObject({ state: { ...waiting, elapsedMs: 0 }, life: { lastError: "ECONNRESET" } });
    expect(typeof session === "object" && session.life.since.getTime()).toBeGreaterThanOrEqual(before);
  });
  it("survives SCRIPT FLUSH", async () => {
    const { writer, id, token } = await setUp();
    await redis.client.script("FLUSH");
    await writer.writeCredentials({ id, token }, Buffer.from("x"));
    expect((await writer.readCredentials(id))?.toString()).toBe("x");
  });
});

describe("command records", () => {
  const setUp = async () => {
    const owned = await acquire(redis.client, 9, member("a", "i1"), undefined);
    return { log: new CommandLog(redis.client, ring), token: owned?.token ?? ("" as SlotToken), id: newCommandId() };
  };
  it("run a send again under the same id, and what is once-only never", async () => {
    const { log, token, id } = await setUp();
    expect(await log.begin(9, token, id, "send", "c1")).toEqual({ kind: "run", repeats: 0 });
    expect(await log.begin(9, token, id, "send", "c2")).toEqual({ kind: "run", repeats: 1 });
    const once = newCommandId();
    expect(await log.begin(9, token, once, "once", "c1")).toEqual({ kind: "run", repeats: 0 });
    expect(await log.begin(9, token, once, "once", "c2")).toEqual({ kind: "unknown" });
  });
  it("replay a finished command from its record", async () => {
    const { log, token, id } = await setUp();
    await log.begin(9, token, id, "once", "c1");
    await log.finish(9, token, id, { kind: "ok", output: { statusId: "5" } });
    expect(await log.begin(9, token, id, "once", "c2")).toEqual({ kind: "done", outcome: { kind: "ok", output: { statusId: "5" } } });
  });
  it("keep no outcome in the clear, and none that was sealed for another command", async () => {
    const { log, token, id } = await setUp();
    await log.begin(9, token, id, "once", "c1");
    await log.finish(9, token, id, { kind: "ok", output: { statusId: "private" } });
    expect(JSON.stringify([await findings(redis.client, ["private"]), await redis.client.exists(keys.result(9, id))])).toBe("[[],1]");
    const other = newCommandId();
    await log.begin(9, token, other, "once", "c1");
    await redis.client.copy(keys.result(9, id), keys.result(9, other), "REPLACE");
    await expect(log.begin(9, token, other, "once", "c2")).rejects.toThrow();
  });
  it("are found before the command begins again", async () => {
    const { log, token, id } = await setUp();
    expect(await log.read(9, id)).toBeUndefined();
    await log.begin(9, token, id, "send", "c1");
    expect(await log.read(9, id)).toBe("begun");
    await log.finish(9, token, id, { kind: "ok", output: 1 });
    expect(await log.read(9, id)).toEqual({ kind: "ok", output: 1 });
    expect(await redis.client.pttl(keys.result(9, id))).toBeGreaterThan(14 * 60_000);
  });
  it("count a begin once although it is repeated after a lost reply", async () => {
    const { log, token, id } = await setUp();
    for (let repeat = 0; repeat < 3; repeat++) expect(await log.begin(9, token, id, "once", "c1")).toEqual({ kind: "run", repeats: 0 });
    const send = newCommandId();
    await log.begin(9, token, send, "send", "c1");
    for (let repeat = 0; repeat < 3; repeat++) expect(await log.begin(9, token, send, "send", "c2")).toEqual({ kind: "run", repeats: 1 });
  });
});

describe("records of requests with an idempotency key", () => {
  const session = newSessionId(Date.now());
  const slot = slotOf(session);
  const request = (text = "same") => ({ session, id: newCommandId(), body: [`b.${text}`, `a.${text}`] });
  const setUp = async () => {
    await redis.client.flushall();
    const owned = await acquire(redis.client, slot, member("a", "i1"), undefined);
    return {
      log: new CommandLog(redis.client, ring),
      token: owned?.token ?? ("" as SlotToken),
      id: newCommandId(),
    };
  };
  const sent: Outcome = { kind: "ok", output: { messageId: "5" } };
  const failed: Outcome = { kind: "error", status: 500, message: "error parser file from url 404" };

  it("replay the first reply to later requests, and without a mark to the first request", async () => {
    const { log, token, id } = await setUp();
    const first = request();
    expect(await log.begin(slot, token, id, "send", "c1", first)).toEqual({ kind: "run", repeats: 0 });
    expect(await log.read(slot, id, request())).toBe("begun");
    await log.finish(slot, token, id, sent, first);
    expect(await log.begin(slot, token, id, "send", "c2", first)).toEqual({ kind: "done", outcome: sent });
    const later = request();
    expect(await log.begin(slot, token, id, "send", "c3", later)).toEqual({ kind: "done", outcome: { ...sent, replayed: true } });
    expect(await log.read(slot, id, later)).toEqual({ ...sent, replayed: true });
  });

  it("detect another body at any stage, and recognise the same one across a key rotation", async () => {
    const { log, token, id } = await setUp();
    const first = { ...request(), body: ["a.same"] };
    await log.begin(slot, token, id, "send", "c1", first);
    expect(await log.begin(slot, token, id, "send", "c2", request("other"))).toEqual({ kind: "other" });
    await log.finish(slot, token, id, sent, first);
    expect(await log.begin(slot, token, id, "send", "c3", request("other"))).toEqual({ kind: "other" });
    expect(await log.read(slot, id, request("other"))).toBe("other");
    expect(await log.begin(slot, token, id, "send", "c4", request())).toMatchObject({ kind: "done" });
  });

  it("let a request run again after a failure that may be repeated, and count anew", async () => {
    const { log, token, id } = await setUp();
    const [first, second] = [request(), request()];
    await log.begin(slot, token, id, "once", "c1", first);
    await log.finish(slot, token, id, failed, first, true);
    expect(await log.begin(slot, token, id, "once", "c2", first)).toEqual({ kind: "done", outcome: failed });
    expect(await log.begin(slot, token, id, "once", "c3", second)).toEqual({ kind: "run", repeats: 0 });
    expect(await log.begin(slot, token, id, "once", "c3", second)).toEqual({ kind: "run", repeats: 0 });
    expect(await log.begin(slot, token, id, "once", "c4", request())).toEqual({ kind: "unknown" });
    await log.finish(slot, token, id, sent, second);
    expect(await log.begin(slot, token, id, "once", "c5", request())).toMatchObject({ kind: "done", outcome: { replayed: true } });
  });

  it("last a day, and there are 10,000 of a session at most", async () => {
    const { log, token, id } = await setUp();
    await log.begin(slot, token, id, "send", "c1", request());
    for (const key of [keys.result(slot, id), keys.idempotencyKeys(session)])
      expect(await redis.client.pttl(key)).toBeGreaterThan(23.9 * 3_600_000);
    const now = Date.now();
    const members = Array.from({ length: 9_999 }, (_, n) => [now - 23 * 3_600_000 + n, `m${n}`]).flat();
    await redis.client.zadd(keys.idempotencyKeys(session), ...members);
    const full = newCommandId();
    const response = await log.begin(slot, token, full, "send", "c1", request());
    expect(response).toMatchObject({ kind: "full", waitMs: expect.closeTo(3_600_000, -5) as number });
    expect(await redis.client.exists(keys.result(slot, full))).toBe(0);
    // A known key takes no further room, and neither does a command without a key.
    expect(await log.begin(slot, token, id, "send", "c2", request())).toEqual({ kind: "run", repeats: 1 });
    expect(await log.begin(slot, token, newCommandId(), "send", "c1")).toEqual({ kind: "run", repeats: 0 });
    await redis.client.zadd(keys.idempotencyKeys(session), now - 25 * 3_600_000, "m0");
    expect(await log.begin(slot, token, full, "send", "c1", request())).toEqual({ kind: "run", repeats: 0 });
  });
});
