import { describe, expect, it } from "vitest";
import { circuitAfter, closedCircuit, isOpen, roomOf, type Circuit } from "../../../../shard/webhook/circuit.js";

const limits = { failuresMax: 3, circuitMs: 1_000, perDestination: 10 };
const failedTwice: Circuit = { failures: 2, openUntil: 0 };
const open: Circuit = { failures: 3, openUntil: 5_000 };

describe("circuitAfter", () => {
  it.each<[string, Circuit, "alive" | "failed" | "unspent", Circuit]>([
    ["a failure is counted", closedCircuit, "failed", { failures: 1, openUntil: 0 }],
    ["too many in a row open it", failedTwice, "failed", { failures: 3, openUntil: 8_000 }],
    ["an answer in between begins anew", failedTwice, "alive", closedCircuit],
    ["what was not sent says nothing", failedTwice, "unspent", failedTwice],
    ["a failure after it was left alone opens it again", open, "failed", { failures: 4, openUntil: 8_000 }],
    ["an answer after that closes it", open, "alive", closedCircuit],
    ["and what was not sent leaves it open", open, "unspent", open],
  ])("%s", (_, before, outcome, after) => {
    expect(circuitAfter(before, outcome, 7_000, limits)).toEqual(after);
  });
});

describe("roomOf", () => {
  it.each<[string, Circuit, number, number]>([
    ["all of its part while it is well", closedCircuit, 7_000, 10],
    ["also with failures that are not too many", failedTwice, 7_000, 10],
    ["none while it is left alone", open, 4_999, 0],
    ["one to try with after that", open, 5_000, 1],
  ])("%s", (_, circuit, now, room) => {
    expect(roomOf(circuit, now, limits)).toBe(room);
    expect(isOpen(circuit, limits)).toBe(room < limits.perDestination);
  });
});
