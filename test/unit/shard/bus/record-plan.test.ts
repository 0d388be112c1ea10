import { describe, expect, it } from "vitest";
import type { CommandClass } from "../../../../shared/contract/command-row.js";
import {
  judgeRecord,
  needsNoRecord,
  planConnection,
  planRecord,
  planReplay,
  runsAgain,
  waitsForConnection,
  type Begun,
  type Earlier,
  type ConnectionPlan,
  type RecordFields,
  type RecordPlan,
} from "../../../../shard/bus/record-plan.js";
import type { Envelope, OpenEnvelope, Outcome } from "../../../../shared/bus/envelope.js";
import { factsOf } from "../../../../shared/contract/commands.js";
import { idempotencyKeyReused, sendTimeout, tooManyIdempotencyKeys } from "../../../../shared/contract/errors.js";
import type { CommandId } from "../../../../shared/contract/ids.js";

const outcome = { kind: "ok", output: { statusId: "5" } } as const;

describe("a command whose record says", () => {
  it.each<[string, Begun, RecordPlan]>([
    ["nothing runs", { kind: "run", repeats: 0 }, { kind: "run", repeated: false }],
    ["that an owner died over it runs again", { kind: "run", repeats: 1 }, { kind: "run", repeated: true }],
    ["that three died over it runs again", { kind: "run", repeats: 3 }, { kind: "run", repeated: true }],
    ["that four died over it stops here", { kind: "run", repeats: 4 }, { kind: "give-up", why: "poison" }],
    ["that it is done is answered by that", { kind: "done", outcome }, { kind: "answer", outcome }],
    ["that it was begun and must not be repeated has an unknown outcome", { kind: "unknown" }, { kind: "give-up", why: "unknown" }],
    [
      "that its idempotency key stands for another body is refused",
      { kind: "other" },
      { kind: "refuse", why: "conflict", error: idempotencyKeyReused() },
    ],
    [
      "that its session has no room for its idempotency key is refused",
      { kind: "full", waitMs: 1_500 },
      { kind: "refuse", why: "full", error: tooManyIdempotencyKeys(1_500) },
    ],
  ])("%s", (_, begun, plan) => {
    expect(planRecord(begun)).toEqual(plan);
  });
});

describe("a command that an earlier owner may have begun without a record", () => {
  it.each<[string, Begun, RecordPlan]>([
    ["counts as a repeat where there is none", { kind: "run", repeats: 0 }, { kind: "run", repeated: true }],
    ["is answered by its outcome where a later try left one", { kind: "done", outcome }, { kind: "answer", outcome }],
    ["stops where four died over it", { kind: "run", repeats: 4 }, { kind: "give-up", why: "poison" }],
  ])("%s", (_, begun, plan) => {
    expect(planRecord(begun, true)).toEqual(plan);
  });
});

describe("a command needs a record", () => {
  const local = { opened: {}, isFirstTry: true } as OpenEnvelope;
  const idempotency = { id: "ab".repeat(16) as CommandId, body: [] };
  const message = factsOf("telegram", "send-message");
  it.each<[string, Envelope | OpenEnvelope, typeof message, boolean]>([
    ["unless it is a message of this process's own router", local, message, false],
    ["if another process sent it", { input: Buffer.of() } as Envelope, message, true],
    ["if an earlier try may have begun", { ...local, isFirstTry: false }, message, true],
    ["if it has an idempotency key", { ...local, idempotency }, message, true],
    ["if it is no message", local, factsOf("telegram", "edit-message"), true],
    ["if it changes stored settings", local, factsOf("telegram", "set-webhook"), true],
    ["if it may never run again", local, factsOf("telegram", "post-status"), true],
  ])("%s", (_, envelope, facts, needs) => {
    expect(needsNoRecord(envelope, facts)).toBe(!needs);
  });
});

describe("a request for which nothing new may be begun", () => {
  const replayed = { kind: "error", status: 500, message: "send timeout after 240s", replayed: true } as const;
  it.each<[string, Earlier, Outcome | "go-on"]>([
    ["gets what an earlier one got", { ...outcome, replayed: true }, { ...outcome, replayed: true }],
    ["gets the error that an earlier one got", replayed, replayed],
    ["goes on where an owner died over an earlier one", "begun", "go-on"],
    ["is told that its key stands for another body", "other", "go-on"],
    ["is refused where there was none", undefined, { kind: "error", status: 429, message: "too many requests", retryAfterSeconds: 1 }],
  ])("%s", (_, earlier, plan) => {
    expect(planReplay(earlier)).toEqual(plan);
  });
});

describe("a command that waited for its session to settle", () => {
  it.each<[connected: boolean, closed: boolean, earlier: "begun" | undefined, ConnectionPlan]>([
    [true, false, undefined, "go-on"],
    [true, false, "begun", "go-on"],
    [true, true, undefined, "go-on"],
    [false, true, undefined, "not-active"],
    [false, true, "begun", "not-active"],
    [false, false, undefined, "not-connected"],
    [false, false, "begun", "wait"],
  ])("connected %s, closed %s, before %s: %s", (connected, closed, earlier, plan) => {
    expect(planConnection({ connected, closed }, earlier)).toBe(plan);
  });
  it.each<[CommandClass, disconnected: boolean, closed: boolean, waits: boolean]>([
    ["send", true, false, true],
    ["send", false, false, false],
    ["send", true, true, false],
    ["once", true, false, false],
    ["read", true, false, false],
  ])("class %s, disconnected %s, closed %s: waits on %s", (commandClass, disconnected, closed, waits) => {
    expect(waitsForConnection(commandClass, { disconnected, closed })).toBe(waits);
  });
});

describe("what a record means to a command", () => {
  const request = { id: "r2" as CommandId, body: ["b.new", "a.same"] };
  const record = (change: Partial<RecordFields>): RecordFields => ({ state: "done", requestId: "r1", mac: "a.same", again: "", ...change });
  it.each<[string, RecordFields, typeof request | undefined, ReturnType<typeof judgeRecord>]>([
    ["there is none", { state: null, requestId: null, mac: null, again: null }, request, undefined],
    ["without a key, begun", record({ state: "started", requestId: null, mac: null }), undefined, "begun"],
    ["without a key, done", record({ requestId: null, mac: null }), undefined, "done"],
    ["of another body, begun", record({ state: "started", mac: "a.other" }), request, "other"],
    ["of another body, done", record({ mac: "a.other" }), request, "other"],
    ["of another body, failed", record({ mac: "a.other", again: "1" }), request, "other"],
    ["begun by an earlier request", record({ state: "started" }), request, "begun"],
    ["done by an earlier request", record({}), request, "replay"],
    ["failed in an earlier request, and to be run again", record({ again: "1" }), request, undefined],
    ["done by this very request, over a death", record({ requestId: "r2" }), request, "done"],
    ["failed in this very request, over a death", record({ requestId: "r2", again: "1" }), request, "done"],
  ])("%s", (_, fields, request, meaning) => {
    expect(judgeRecord(fields, request)).toBe(meaning);
  });
});

describe("a later request of the same idempotency key", () => {
  const failed = (status: number, message: string): Outcome => ({ kind: "error", status, message });
  it.each<[string, CommandClass, dispatched: boolean, Outcome, again: boolean]>([
    ["a send that succeeded", "send", true, outcome, false],
    ["a story that succeeded", "once", true, outcome, false],
    ["a send that was refused", "send", true, failed(500, "400: CHAT_WRITE_FORBIDDEN"), true],
    ["a send of which nobody knows", "send", true, failed(500, "send timeout after 240s"), true],
    ["a story before the platform's part", "once", false, failed(500, "session not connected"), true],
    ["a story whose file did not come", "once", true, failed(500, "error parser file from url 404"), true],
    ["a story that was refused", "once", true, failed(500, "400: STORIES_TOO_MUCH"), true],
    ["a story whose connection broke", "once", true, failed(500, "session not connected"), false],
    ["a story whose time passed", "once", true, failed(500, "send timeout after 240s"), false],
    ["a story of which nobody knows", "once", true, failed(500, "internal server error"), false],
  ])("of %s (%s): runs again %s", (_, commandClass, dispatched, ended, again) => {
    expect(runsAgain(ended, { class: commandClass, late: sendTimeout }, dispatched)).toBe(again);
  });
});
