import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../../shared/log/logger.js";
import { goodHealth, type Restriction, type StoredHealth } from "../../../../../shared/session/stored-health.js";
import { SessionHealth } from "../../../../../shard/session/health/session-health.js";
import { eventually } from "../../../../harness/eventually.js";

const day = 24 * 3_600_000;

function aHealth({
  stored = goodHealth,
  account = "ann",
  now = Date.now(),
}: { stored?: StoredHealth; account?: string; now?: number } = {}) {
  const written: StoredHealth[] = [];
  const changes: (Restriction | undefined)[] = [];
  const eventIds: string[] = [];
  const state = { account, now, blocked: 0, fails: false, reports: true };
  const health = new SessionHealth({
    stored,
    account: () => state.account,
    store: async (value) => {
      if (state.fails) throw new Error("away");
      written.push(value);
    },
    onChanged: async (restriction, eventId) => {
      changes.push(restriction);
      eventIds.push(eventId);
      return state.reports;
    },
    onBlocked: () => (state.blocked += 1),
    log: silentLog,
    now: () => state.now,
  });
  return { health, written, changes, eventIds, state };
}

const refusal = (until: number) => ({ cause: "refusal", reason: "refused (463)", until: new Date(until) }) as const;
const stranger = () => ({ hasWritten: () => Promise.resolve(false) });
const writer = () => ({ hasWritten: () => Promise.resolve(true) });

describe("a restricted account", () => {
  it("may write to people who have written, to groups, and again what may have been sent", async () => {
    const { health, state } = aHealth();
    await health.admit(false, stranger);
    await health.restrict(refusal(state.now + day));
    await expect(health.admit(false, stranger)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 86_400 });
    await health.admit(false, writer);
    await health.admit(false, () => undefined);
    await health.admit(true, stranger);
    expect(state.blocked).toBe(1);
    await health.close();
  });

  it("is asked nothing about people while there is no restriction", async () => {
    const { health } = aHealth();
    await health.admit(false, () => {
      throw new Error("not needed");
    });
  });

  it("is restricted until then, also for the next owner, and reported once at both ends", async () => {
    const { health, written, changes, state } = aHealth();
    const until = state.now + day;
    await health.restrict(refusal(until));
    await health.restrict(refusal(until + 1_000));
    expect(changes).toEqual([{ account: "ann", cause: "refusal", reason: "refused (463)", until: new Date(until).toISOString() }]);
    await health.close();
    const next = aHealth({ stored: written.at(-1) ?? goodHealth, now: until - 1 });
    expect(next.health.restriction).toMatchObject({ reason: "refused (463)" });
    next.state.now = until;
    expect(next.health.restriction).toBeUndefined();
    await eventually("the end", () => next.changes.length > 0);
    expect(next.changes).toEqual([undefined]);
    await next.health.close();
    expect(next.written.at(-1)).toEqual({ refusals: [], counts: {} });
  });

  it("is reported by the next owner, under the same id, if its event was not stored", async () => {
    const { health, written, changes, eventIds, state } = aHealth();
    state.reports = false;
    await health.restrict(refusal(state.now + day));
    await health.close();
    const next = aHealth({ stored: written.at(-1) ?? goodHealth });
    await eventually("the report", () => next.changes.length > 0);
    expect(next.changes).toEqual(changes);
    expect(next.eventIds).toEqual(eventIds);
    await next.health.close();
    const later = aHealth({ stored: next.written.at(-1) ?? goodHealth });
    await later.health.close();
    expect(later.changes).toEqual([]);
  });

  it("has its end reported by the next owner if that event was not stored", async () => {
    const { health, written, eventIds, state } = aHealth();
    await health.restrict({ cause: "cap", reason: "cap", until: new Date(state.now + day) });
    state.reports = false;
    await health.lift(["cap"]);
    await health.close();
    const next = aHealth({ stored: written.at(-1) ?? goodHealth });
    await eventually("the report", () => next.changes.length > 0);
    expect(next.changes).toEqual([undefined]);
    expect(next.eventIds).toEqual([eventIds.at(-1)]);
    await next.health.close();
  });

  it("is reported again once small moves of its end add up to a large one", async () => {
    const { health, changes, state } = aHealth();
    const until = state.now + day;
    for (let moves = 0; moves < 5; moves += 1) await health.restrict(refusal(until + moves * 1_500_000));
    expect(changes.map((change) => change?.until)).toEqual([until, until + 4_500_000].map((at) => new Date(at).toISOString()));
    await health.close();
  });

  it("has each change reported as it was, although another follows at once", async () => {
    const { health, changes, state } = aHealth();
    const lock = health.restrict({ cause: "lock", reason: "lock", until: new Date(state.now + day) });
    const cap = health.restrict({ cause: "cap", reason: "cap", until: new Date(state.now + 2 * day) });
    await Promise.all([lock, cap, health.lift(["cap"])]);
    expect(changes.map((change) => change?.reason)).toEqual(["lock", "cap", undefined]);
    await health.close();
  });

  it("does not restrict another account of the session", async () => {
    const { health, state } = aHealth();
    await health.restrict(refusal(state.now + day));
    state.account = "ben";
    await health.admit(false, stranger);
    state.account = "ann";
    await expect(health.admit(false, stranger)).rejects.toMatchObject({ status: 429 });
    await health.close();
  });

  it("is lifted by the platform, but not for another cause", async () => {
    const { health, state, changes } = aHealth();
    await health.restrict({ cause: "cap", reason: "cap", until: new Date(state.now + day) });
    await health.lift(["lock", "refusal"]);
    expect(health.restriction).toBeDefined();
    await health.lift(["cap"]);
    expect(health.restriction).toBeUndefined();
    expect(changes.at(-1)).toBeUndefined();
    await health.close();
  });

  it("holds in memory while it cannot be stored, and is stored with the next change", async () => {
    const { health, state, written } = aHealth();
    state.fails = true;
    await health.restrict(refusal(state.now + day));
    expect(health.restriction).toBeDefined();
    state.fails = false;
    health.refused({ kind: "flood", message: "429" });
    await health.close();
    expect(written.at(-1)).toMatchObject({ restriction: { account: "ann" }, counts: { flood: 1 } });
  });
});

describe("refusals", () => {
  it("are counted by kind, and the newest twenty are kept", async () => {
    const { health, written } = aHealth();
    for (let n = 0; n < 25; n += 1) health.refused({ kind: "flood", message: `${n} ${"x".repeat(300)}` });
    health.refused({ kind: "restricted", message: "463" });
    await health.close();
    const stored = written.at(-1);
    expect(written).toHaveLength(1);
    expect(stored?.counts).toEqual({ flood: 25, restricted: 1 });
    expect(stored?.refusals).toHaveLength(20);
    expect(stored?.refusals.at(-1)).toMatchObject({ kind: "restricted", message: "463" });
    expect(stored?.refusals[0]?.message).toHaveLength(200);
  });
});
