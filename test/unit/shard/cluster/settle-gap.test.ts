import { describe, expect, it } from "vitest";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";
import type { Acquired, SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { connectGapMs, leftSocketsOpen, settleMs } from "../../../../shard/cluster/settle-gap.js";

const owner = (change: Partial<SlotOwner> = {}): SlotOwner => ({
  member: "b",
  incarnation: "b1",
  token: "7" as SlotToken,
  state: "held",
  host: "h2",
  ...change,
});
const member = (change: Partial<MemberRecord>): MemberRecord => ({
  name: "b",
  incarnation: "b1",
  sequence: "1",
  state: "dead",
  weight: 1,
  host: "h2",
  buriedBy: "",
  ...change,
});
const facts = (record?: MemberRecord) => ({ members: { get: () => record }, name: "a", host: "h1" });

describe("leftSocketsOpen", () => {
  it.each<[string, SlotOwner, MemberRecord | undefined, boolean]>([
    ["fell silent", owner(), member({ buriedBy: "timeout" }), true],
    ["fell silent on this very host", owner({ host: "h1" }), member({ buriedBy: "timeout" }), true],
    ["was reaped", owner(), member({ buriedBy: "reaped" }), false],
    ["left in order", owner(), member({ state: "gone" }), false],
    ["fenced itself on this host", owner({ host: "h1" }), member({ buriedBy: "fenced" }), false],
    ["fenced itself elsewhere, perhaps cut off from the platform too", owner(), member({ buriedBy: "fenced" }), true],
    [
      "was reaped, and its name lives again",
      owner(),
      member({ incarnation: "b2", state: "active", former: { incarnation: "b1", end: "reaped" } }),
      false,
    ],
    [
      "fell silent, and its name lives again",
      owner(),
      member({ incarnation: "b2", state: "active", former: { incarnation: "b1", end: "timeout" } }),
      true,
    ],
    ["ended two lives ago", owner(), member({ incarnation: "b3", state: "active", former: { incarnation: "b2", end: "reaped" } }), true],
    ["has no record", owner(), undefined, true],
    [
      "was this process before its restart",
      owner({ member: "a", host: "h1" }),
      member({ name: "a", incarnation: "a2", state: "active" }),
      false,
    ],
    ["had this name on another host", owner({ member: "a" }), member({ name: "a", incarnation: "a2", state: "active" }), true],
  ])("of an owner that %s", (_, former, record, open) => {
    expect(leftSocketsOpen(former, facts(record))).toBe(open);
  });
});

describe("settleMs", () => {
  const acquired = (change: Partial<Acquired>): Acquired => ({
    token: "8" as SlotToken,
    how: "dead",
    previousHost: "h1",
    silent: false,
    ...change,
  });
  it.each<[string, Acquired, MemberRecord | undefined, number]>([
    ["was never owned", acquired({ how: "new" }), undefined, 0],
    ["was released on this host", acquired({ how: "released" }), undefined, 0],
    ["was released on another host", acquired({ how: "released", previousHost: "h2" }), undefined, 2_000],
    ["belonged to a reaped process of this host", acquired({}), member({ buriedBy: "reaped" }), 0],
    [
      "belonged to a reaped member whose name lives again",
      acquired({}),
      member({ incarnation: "b2", state: "active", former: { incarnation: "b1", end: "reaped" } }),
      0,
    ],
    ["belonged to a member that fenced itself", acquired({}), member({ buriedBy: "fenced" }), 3_000],
    ["belonged to a dead member of another host", acquired({ previousHost: "h2" }), member({ buriedBy: "reaped" }), 3_000],
    ["was acquired before by this process", acquired({ how: "same" }), undefined, 3_000],
  ])("of a slot that %s", (_, result, record, ms) => {
    expect(settleMs(result, owner(), facts(record))).toBe(ms);
  });
});

describe("connectGapMs", () => {
  it.each([
    ["connected", 3_000, false, 3_000],
    ["connected", 3_000, true, 45_000],
    ["disconnected", 3_000, true, 45_000],
    ["awaiting-password", 0, true, 45_000],
    ["connected", 60_000, true, 60_000],
    ["awaiting-qr", 0, false, 0],
    ["awaiting-qr", 3_000, true, 3_000],
  ] as const)("of a session %s, its slot's gap %i ms, its former owner silent: %s", (state, gapMs, silent, ms) => {
    expect(connectGapMs({ settleMs: gapMs, silent }, state, 45_000)).toBe(ms);
  });
});
