import { beforeEach, expect, it } from "vitest";
import type { CommandId, SessionId } from "../../../../shared/contract/ids.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { PaceLine, type PacedTask, type PaceOutcome } from "../../../../shard/bus/pace-line.js";
import type { PaceRates } from "../../../../shard/tenant/pace/pace-rates.js";
import { SessionPace } from "../../../../shard/tenant/pace/session-pace.js";
import { TestContext } from "../../../platform/session-context.js";

/** Longer than any test, so that no wait ends by itself. */
const hourMs = 3_600_000;
const leftMs = 240_000;
const none: PaceRates = { sends: undefined, newContacts: undefined };
const every = (intervalMs: number, burst = 1): PaceRates => ({ sends: { intervalMs, burst }, newContacts: undefined });

let line: PaceLine;
let rates: Record<string, PaceRates>;
let events: string[];
let ended: string[];
let paces: Map<string, SessionPace>;
beforeEach(() => {
  rates = {};
  events = [];
  ended = [];
  paces = new Map();
  // The tenant of session `blue-1` is `blue`.
  line = new PaceLine({
    tenantOf: (session) => session.slice(0, -2),
    isShared: () => true,
    onPaced: (_, outcome) => events.push(outcome),
  });
});

function paceOf(session: string): SessionPace {
  const existing =
    paces.get(session) ??
    new SessionPace({ rates: () => rates[session.slice(0, -2)] ?? none, peers: new TestContext().peers, onRefused: () => undefined });
  paces.set(session, existing);
  return existing;
}

function taskOf(session: string, id: string): PacedTask {
  const envelope = { session: session as SessionId, platform: "telegram" as const, id: id as CommandId };
  return { envelope, enterPaceLine: () => undefined, leavePaceLine: () => undefined };
}

/** Sends a message as soon as the pace allows, and counts it. */
async function send(session: string, id: string, signal = new AbortScope()): Promise<PaceOutcome> {
  const task = taskOf(session, id);
  const outcome = await line.enter(task, paceOf(session), { signal, leftMs, isOnRecord: () => Promise.resolve(false) });
  if (outcome.kind === "turn") {
    await paceOf(session).count({ id }, () => undefined);
    outcome.turn?.end();
  }
  ended.push(`${id} ${outcome.kind}`);
  return outcome;
}

/** Resolves when earlier calls have taken effect. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

it("applies a faster pace to existing waiters in order, and to no other tenant", async () => {
  rates = { blue: every(30_000), red: every(30_000) };
  const sent = ["a", "b", "c"].map((id) => send("blue-1", id));
  const other = ["x", "y"].map((id) => send("red-1", id));
  await settled();
  expect([ended, line.waiting]).toEqual([["a turn", "x turn"], 3]);
  rates["blue"] = every(1);
  line.changed(new Set(["blue"]));
  await Promise.all(sent);
  expect([ended, line.waiting]).toEqual([["a turn", "x turn", "b turn", "c turn"], 1]);
  rates["red"] = none;
  line.changed(new Set(["red"]));
  await Promise.all(other);
  expect([ended.at(-1), line.waiting, events]).toEqual(["y turn", 0, ["waited", "waited", "waited"]]);
});

it("queues newcomers behind existing waiters after a pace is removed", async () => {
  rates = { blue: every(30_000) };
  const sent = ["a", "b", "c"].map((id) => send("blue-1", id));
  await settled();
  rates["blue"] = none;
  line.changed(new Set(["blue"]));
  await Promise.all([...sent, send("blue-1", "d")]);
  expect(ended).toEqual(["a turn", "b turn", "c turn", "d turn"]);
  expect(
    await line.enter(taskOf("blue-1", "e"), paceOf("blue-1"), {
      signal: new AbortScope(),
      leftMs,
      isOnRecord: () => Promise.reject(new Error("asked")),
    }),
  ).toEqual({ kind: "turn", turn: undefined });
});

it("rejects waiters at once whose wait grows too long under a slower pace, and the others keep their places", async () => {
  rates = { blue: every(20_000), red: every(20_000) };
  const sent = ["a", "b", "c", "d"].map((id) => send("blue-1", id));
  const other = ["x", "y"].map((id) => send("red-1", id));
  await settled();
  expect(line.waiting).toBe(4);
  // The limit is two minutes of waiting: one interval fits, two do not.
  rates["blue"] = every(100_000);
  line.changed(new Set(["blue"]));
  const [, b, c, d] = sent;
  expect(await Promise.all([c, d])).toEqual([
    { kind: "refused", waitMs: expect.toSatisfy((ms: number) => ms > 150_000 && ms <= 200_000) as number },
    { kind: "refused", waitMs: expect.toSatisfy((ms: number) => ms > 150_000 && ms <= 200_000) as number },
  ]);
  expect([line.waiting, events]).toEqual([2, ["refused", "refused"]]);
  rates["blue"] = every(hourMs);
  line.changed(new Set(["blue", "nobody"]));
  expect(await b).toMatchObject({ kind: "refused" });
  // The place is free, so a message under a pace that allows it goes out at once.
  rates = { blue: every(1), red: none };
  line.changed(new Set(["red"]));
  await Promise.all([...other, send("blue-1", "e")]);
  expect(ended.slice(-2).sort()).toEqual(["e turn", "y turn"]);
  expect(line.waiting).toBe(0);
});

it("does not reject a caller that leaves while waiting", async () => {
  rates = { blue: every(60_000) };
  const signal = new AbortScope();
  const [, left] = [await send("blue-1", "a"), send("blue-1", "b", signal)];
  await settled();
  signal.abort(new Error("left"));
  rates["blue"] = every(hourMs);
  line.changed(new Set(["blue"]));
  await expect(left).rejects.toThrow("left");
  expect([line.waiting, events]).toEqual([0, []]);
});
