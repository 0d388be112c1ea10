import { describe, expect, it } from "vitest";
import { Deadlines, tickMs, type TimedSession } from "../../../../shard/session/deadlines.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { disconnectedMs, passwordWaitMs, qrValidityMs } from "../../../../shared/limits.js";
import { transition, type Account, type SessionState } from "../../../../shared/session/state.js";

const account: Account = { generatedId: "7", name: "Ann", username: "", phone: "", picture: "" };
const session = (id: string, state: SessionState, isWaitingForPlatform = false): TimedSession => {
  let current = state;
  return {
    id,
    isWaitingForPlatform,
    state: () => current,
    elapse: async (ms) => void (current = transition(current, { type: "elapsed", ms })),
  };
};

/** Returns deadlines with a clock that the test advances. `run` waits for each tick before the next one. */
const timed = (sessions: TimedSession[], live = (): boolean => true) => {
  let nowMs = 0;
  let tick: () => void = () => undefined;
  const blocked: boolean[] = [];
  const deadlines = new Deadlines({
    sessions: () => sessions,
    live,
    onBlocked: (value) => blocked.push(value),
    log: silentLog,
    now: () => nowMs,
    every: (_, callback) => {
      tick = callback;
      return () => undefined;
    },
  });
  deadlines.start();
  const run = async (ms: number, stepMs = tickMs): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      nowMs += stepMs;
      tick();
      await deadlines.stop();
    }
  };
  return { run, blocked };
};

describe("Deadlines", () => {
  it.each<[string, SessionState, number]>([
    ["an unscanned QR after 3 minutes", { kind: "awaiting-qr", qr: "x", elapsedMs: 0 }, qrValidityMs],
    ["an awaited password after 30 minutes", { kind: "awaiting-password", hint: "", elapsedMs: 0 }, passwordWaitMs],
    ["a disconnected session after more than 30 minutes", { kind: "disconnected", account, elapsedMs: 0 }, disconnectedMs + tickMs],
  ])("deletes %s, and not a tick earlier", async (_, state, ms) => {
    const one = session("a", state);
    const { run } = timed([one]);
    await run(ms - tickMs);
    expect(one.state().kind).toBe(state.kind);
    await run(tickMs);
    expect(one.state().kind).toBe("deleted");
  });
  it("does not count waits that the platform demands", async () => {
    const one = session("a", { kind: "disconnected", account, elapsedMs: 0 }, true);
    await timed([one]).run(2 * disconnectedMs);
    expect(one.state()).toMatchObject({ kind: "disconnected", elapsedMs: 0 });
  });
  it("counts 10 s at most for a step, however far the clock jumped", async () => {
    const one = session("a", { kind: "disconnected", account, elapsedMs: 0 });
    await timed([one]).run(3_600_000, 3_600_000);
    expect(one.state()).toMatchObject({ kind: "disconnected", elapsedMs: tickMs });
  });
  it("does not count while this process is not a live owner", async () => {
    const one = session("a", { kind: "disconnected", account, elapsedMs: 0 });
    await timed([one], () => false).run(45 * 60_000);
    expect(one.state()).toMatchObject({ kind: "disconnected", elapsedMs: 0 });
  });
  it("deletes none when more than 20 accounts would go within a minute", async () => {
    const many = Array.from({ length: 21 }, (_, i) => session(String(i), { kind: "disconnected", account, elapsedMs: disconnectedMs }));
    const { run, blocked } = timed(many);
    await run(tickMs);
    expect(many.filter((one) => one.state().kind === "deleted")).toHaveLength(0);
    expect(blocked.at(-1)).toBe(true);
  });
  it("never counts for a record that cannot be opened, in any state", async () => {
    const states: SessionState[] = [
      { kind: "awaiting-qr", qr: "", elapsedMs: qrValidityMs - 1 },
      { kind: "awaiting-password", hint: "", elapsedMs: passwordWaitMs - 1 },
      { kind: "disconnected", account, elapsedMs: disconnectedMs },
    ];
    const kept = states.map((state, i) => session(String(i), transition(state, { type: "record-unreadable" })));
    await timed(kept).run(60 * 60_000);
    expect(kept.map((one) => one.state())).toEqual(states.map((state) => ({ ...state, unreadable: true })));
  });
  it("counts unreadable records as due: many of them block the deletion of others", async () => {
    const lost = Array.from({ length: 20 }, (_, i) => session(`u${i}`, { kind: "disconnected", account, elapsedMs: 0, unreadable: true }));
    const due = session("due", { kind: "disconnected", account, elapsedMs: disconnectedMs });
    const { run, blocked } = timed([...lost, due]);
    await run(tickMs);
    expect(due.state().kind).toBe("disconnected");
    expect(blocked.at(-1)).toBe(true);
  });
  it("blocks nothing for unreadable records while no session is due", async () => {
    const lost = Array.from({ length: 21 }, (_, i) => session(`u${i}`, { kind: "disconnected", account, elapsedMs: 0, unreadable: true }));
    const { run, blocked } = timed(lost);
    await run(tickMs);
    expect(blocked).toEqual([false]);
  });
  it("deletes due sessions while connected sessions have unreadable data", async () => {
    const connected = Array.from({ length: 21 }, (_, i) => session(`u${i}`, { kind: "connected", account, unreadable: true }));
    const due = session("due", { kind: "disconnected", account, elapsedMs: disconnectedMs });
    const { run, blocked } = timed([...connected, due]);
    await run(tickMs);
    expect(due.state().kind).toBe("deleted");
    expect(blocked).toEqual([false]);
  });
  it("deletes a few sessions at once", async () => {
    const few = Array.from({ length: 20 }, (_, i) => session(String(i), { kind: "disconnected", account, elapsedMs: disconnectedMs }));
    const { run, blocked } = timed(few);
    await run(tickMs);
    expect(few.filter((one) => one.state().kind === "deleted")).toHaveLength(20);
    expect(blocked.at(-1)).toBe(false);
  });
  it("does not block the deletion of unscanned codes", async () => {
    const many = Array.from({ length: 100 }, (_, i) => session(String(i), { kind: "awaiting-qr", qr: "x", elapsedMs: qrValidityMs - 1 }));
    await timed(many).run(tickMs);
    expect(many.filter((one) => one.state().kind === "deleted")).toHaveLength(100);
  });
});
