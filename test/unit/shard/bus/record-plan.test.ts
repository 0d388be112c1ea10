import { describe, expect, it } from "vitest";
import type { CommandClass } from "../../../../shared/contract/command-row.js";
import { planConnection, planRecord, waitsForConnection, type ConnectionPlan, type RecordPlan } from "../../../../shard/bus/record-plan.js";
import type { Begun } from "../../../../shard/bus/command-log.js";

const outcome = { kind: "ok", output: { statusId: "5" } } as const;

describe("a command whose record says", () => {
  it.each<[string, Begun, RecordPlan]>([
    ["nothing runs", { kind: "run", repeats: 0 }, { kind: "run", repeated: false }],
    ["that an owner died over it runs again", { kind: "run", repeats: 1 }, { kind: "run", repeated: true }],
    ["that three died over it runs again", { kind: "run", repeats: 3 }, { kind: "run", repeated: true }],
    ["that four died over it stops here", { kind: "run", repeats: 4 }, { kind: "give-up", why: "poison" }],
    ["that it is done is answered by that", { kind: "done", outcome }, { kind: "answer", outcome }],
    ["that it was begun and must not be repeated has an unknown outcome", { kind: "unknown" }, { kind: "give-up", why: "unknown" }],
  ])("%s", (_, begun, plan) => {
    expect(planRecord(begun)).toEqual(plan);
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
