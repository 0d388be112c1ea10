import { describe, expect, it } from "vitest";
import { defaultClusterTiming } from "../../../../shared/cluster/cluster-timing.js";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { slotCount } from "../../../../shared/limits.js";
import { targetMap } from "../../../../shard/cluster/placement.js";
import {
  gatherMs,
  lostSlots,
  movesAtOnce,
  planSlots,
  outdatedMembers,
  type HeldSlot,
  type SeenOwner,
  type SlotStep,
  type SlotView,
} from "../../../../shard/cluster/slot-plan.js";

const { rejoinGraceMs } = defaultClusterTiming;
const token = (text: string): SlotToken => text as SlotToken;
const held = (change: Partial<HeldSlot> = {}): HeldSlot => ({ token: token("5"), phase: "held", silent: false, ...change });
const owner = (change: Partial<SlotOwner> = {}): SlotOwner => ({
  member: "b",
  incarnation: "b1",
  token: token("7"),
  state: "held",
  host: "h2",
  ...change,
});
const member = (change: Partial<MemberRecord> = {}): MemberRecord => ({
  name: "b",
  incarnation: "b1",
  sequence: "1",
  state: "active",
  weight: 1,
  host: "h2",
  buriedBy: "",
  ...change,
});
const members = (...records: readonly MemberRecord[]): SlotView["members"] => ({
  get: (name) => records.find((record) => record.name === name),
});

/** The view of member `a` on host `h1`, which lives and has known its target for long. */
const view = (change: Partial<SlotView> = {}): SlotView => ({
  name: "a",
  host: "h1",
  incarnation: "a1",
  held: new Map(),
  target: [],
  targetFits: true,
  targetAgeMs: 60_000,
  stableMs: 5_000,
  rejoinGraceMs,
  members: members(member()),
  owners: new Map(),
  batch: 512,
  ending: false,
  ...change,
});
const rest = (waiting: Extract<SlotStep, { kind: "rest" }>["waiting"] = [], release: readonly number[] = []): SlotStep => ({
  kind: "rest",
  waiting,
  release,
});
const many = <T>(count: number, of: T, from = 0): [number, T][] => Array.from({ length: count }, (_, i) => [from + i, of]);

describe("a lease", () => {
  it.each<[string, Partial<SlotView>, SlotStep]>([
    [
      "that was lost drops every slot at once, draining ones too, and writes nothing",
      {
        incarnation: undefined,
        held: new Map([
          [1, held()],
          [2, held({ phase: "draining" })],
          [3, held({ phase: "drained" })],
        ]),
        target: ["a", "a"],
        targetFits: false,
        ending: true,
      },
      { kind: "drop", slots: [1, 2, 3] },
    ],
    ["that was lost by a member without slots drops none", { incarnation: undefined, target: ["a"] }, { kind: "drop", slots: [] }],
    [
      "of a process that leaves releases every slot at once, and acquires none",
      {
        ending: true,
        targetFits: false,
        held: new Map([...many(100, held()), [100, held({ phase: "drained" })]]),
        target: many(200, "a").map(() => "a"),
      },
      rest(
        [],
        many(101, 0).map(([slot]) => slot),
      ),
    ],
  ])("%s", (_, change, step) => {
    expect(planSlots(view(change))).toEqual(step);
  });
});

describe("slots to acquire", () => {
  it.each<[string, Partial<SlotView>, SlotStep]>([
    ["none without active members", { target: [] }, rest()],
    [
      "none that are held, in any phase",
      {
        target: ["a", "a"],
        held: new Map([
          [0, held()],
          [1, held({ phase: "draining" })],
        ]),
      },
      rest(),
    ],
    ["none of other members", { target: ["b", "c"] }, rest()],
    [
      "none by an outdated target: the target is computed again",
      {
        target: ["a", "a"],
        targetFits: false,
        held: new Map([[1, held({ phase: "drained" })]]),
        members: members(member({ incarnation: "b2", former: { incarnation: "b1", end: "fenced" } })),
        owners: new Map([[0, owner()]]),
      },
      { kind: "place" },
    ],
    ["reads their owners first", { target: ["a", "b", "a"] }, { kind: "read", slots: [0, 2] }],
    ["reads no more at once than the batch size", { target: ["a", "a", "b", "a", "a"], batch: 3 }, { kind: "read", slots: [0, 1, 3] }],
    [
      "acquires after each read",
      { target: ["a", "a", "a"], batch: 1, owners: new Map([[0, "none"]]) },
      { kind: "acquire", slots: [{ slot: 0, dead: undefined }] },
    ],
    [
      "reads past slots that are not available",
      {
        target: ["a", "a", "a", "a"],
        batch: 2,
        owners: new Map<number, SeenOwner>([
          [0, "tried"],
          [1, owner()],
        ]),
      },
      { kind: "read", slots: [2, 3] },
    ],
    [
      "ends the run with slots that are not available, and still releases others",
      {
        target: ["a", "a", "b"],
        owners: new Map<number, SeenOwner>([
          [0, "tried"],
          [1, owner()],
        ]),
        held: new Map([[2, held()]]),
      },
      rest(
        [
          { slot: 0, why: "another was faster" },
          { slot: 1, why: "owner lives" },
        ],
        [2],
      ),
    ],
  ])("%s", (_, change, step) => {
    expect(planSlots(view(change))).toEqual(step);
  });
});

describe("a slot whose owner", () => {
  const acquire = (dead?: { name: string; incarnation: string; silent: boolean }): SlotStep => ({
    kind: "acquire",
    slots: [{ slot: 0, dead }],
  });
  const wait = (why: "owner lives" | "owner may be back"): SlotStep => rest([{ slot: 0, why }]);
  const deadB = (silent: boolean) => acquire({ name: "b", incarnation: "b1", silent });

  it.each<[string, SlotOwner | "none", MemberRecord | undefined, Partial<SlotView>, SlotStep]>([
    ["does not exist", "none", undefined, {}, acquire()],
    ["released it", owner({ state: "free" }), member(), {}, acquire()],
    ["lives", owner(), member(), {}, wait("owner lives")],
    ["drains it", owner({ state: "draining" }), member(), {}, wait("owner lives")],
    ["leaves, and has not released it yet", owner(), member({ state: "draining" }), {}, wait("owner lives")],
    ["has just joined, and is not in the view yet", owner(), undefined, {}, wait("owner lives")],
    ["left without releasing it", owner(), member({ state: "gone" }), {}, deadB(false)],
    ["was draining it when it was reaped", owner({ state: "draining" }), member({ state: "dead", buriedBy: "reaped" }), {}, deadB(false)],
    ["was reaped", owner(), member({ state: "dead", buriedBy: "reaped" }), {}, deadB(false)],
    ["fell silent: its sessions wait for the platform", owner(), member({ state: "dead", buriedBy: "timeout" }), {}, deadB(true)],
    [
      "fell silent on this host: likewise",
      owner({ host: "h1" }),
      member({ host: "h1", state: "dead", buriedBy: "timeout" }),
      {},
      deadB(true),
    ],
    [
      "fenced itself on another host a moment ago: it is left to its next life",
      owner(),
      member({ state: "dead", buriedBy: "fenced" }),
      { targetAgeMs: rejoinGraceMs - 1 },
      wait("owner may be back"),
    ],
    [
      "fenced itself on another host and did not come back",
      owner(),
      member({ state: "dead", buriedBy: "fenced" }),
      { targetAgeMs: rejoinGraceMs },
      deadB(true),
    ],
    [
      "fenced itself on this host: its sockets are closing",
      owner({ host: "h1" }),
      member({ host: "h1", state: "dead", buriedBy: "fenced" }),
      { targetAgeMs: 0 },
      deadB(false),
    ],
    [
      "was reaped and has joined again",
      owner(),
      member({ incarnation: "b2", former: { incarnation: "b1", end: "reaped" } }),
      {},
      deadB(false),
    ],
    [
      "fell silent and has joined again",
      owner(),
      member({ incarnation: "b2", former: { incarnation: "b1", end: "timeout" } }),
      { targetAgeMs: 0 },
      deadB(true),
    ],
    [
      "is this very incarnation: the response to an acquire was lost",
      owner({ member: "a", incarnation: "a1", host: "h1" }),
      member({ name: "a", incarnation: "a1", host: "h1" }),
      {},
      acquire({ name: "a", incarnation: "a1", silent: false }),
    ],
    [
      "was this member before it joined again",
      owner({ member: "a", incarnation: "a0", host: "h1" }),
      member({ name: "a", incarnation: "a1", host: "h1" }),
      {},
      acquire({ name: "a", incarnation: "a0", silent: false }),
    ],
    [
      "had this member's name on another host",
      owner({ member: "a", incarnation: "a0" }),
      member({ name: "a", incarnation: "a1", host: "h1" }),
      {},
      acquire({ name: "a", incarnation: "a0", silent: true }),
    ],
  ])("%s", (_, slotOwner, record, change, step) => {
    const records = record === undefined ? members() : members(record);
    expect(planSlots(view({ target: ["a"], owners: new Map([[0, slotOwner]]), members: records, ...change }))).toEqual(step);
  });
});

describe("slots to release", () => {
  const toB = Array.from({ length: 200 }, () => "b");
  const first = (count: number, from = 0): number[] => many(count, 0, from).map(([slot]) => slot);

  it.each<[string, Partial<SlotView>, readonly number[]]>([
    ["none while the target has changed recently", { held: new Map(many(3, held())), targetAgeMs: 4_999 }, []],
    ["those of other members once the target is stable", { held: new Map(many(3, held())), targetAgeMs: 5_000 }, [0, 1, 2]],
    ["none while no member is active", { held: new Map(many(3, held())), target: [] }, []],
    ["none that the target gives to this member", { held: new Map(many(3, held())), target: ["a", "b", "a"] }, [1]],
    [
      "none whose sessions wait for the platform",
      {
        held: new Map([
          [0, held({ silent: true })],
          [1, held()],
        ]),
      },
      [1],
    ],
    ["a few at once", { held: new Map(many(100, held())) }, first(movesAtOnce)],
    [
      "fewer while others are being released",
      { held: new Map([...many(movesAtOnce - 2, held({ phase: "draining" })), ...many(100, held(), 100)]) },
      [100, 101],
    ],
    [
      "none while the limit is being released",
      { held: new Map([...many(movesAtOnce, held({ phase: "draining" })), ...many(9, held(), 100)]) },
      [],
    ],
    [
      "drained ones again, and they count as being released",
      { held: new Map([...many(9, held({ phase: "drained" })), ...many(100, held(), 100)]) },
      [...first(9), ...first(movesAtOnce - 9, 100)],
    ],
    [
      "drained ones again although the target has changed recently",
      {
        held: new Map([
          [7, held({ phase: "drained" })],
          [8, held()],
        ]),
        targetAgeMs: 0,
      },
      [7],
    ],
    ["none that drains already", { held: new Map([[3, held({ phase: "draining" })]]) }, []],
  ])("%s", (_, change, release) => {
    expect(planSlots(view({ target: toB, ...change }))).toEqual(rest([], release));
  });
});

describe("a member that an operator drained", () => {
  it("releases all it holds, a few at once, and acquires none", () => {
    const target = targetMap([{ name: "b", weight: 1 }], new Map([[7, "a"]]));
    const left = new Map(many(slotCount, held()));
    let rounds = 0;
    while (left.size > 0) {
      const step = planSlots(view({ target, held: left }));
      if (step.kind !== "rest") throw new Error(`a drained member wants to ${step.kind}`);
      expect(step.release.length).toBeGreaterThan(0);
      expect(step.release.length).toBeLessThanOrEqual(movesAtOnce);
      for (const slot of step.release) left.delete(slot);
      rounds += 1;
    }
    expect(rounds).toBe(slotCount / movesAtOnce);
    expect(planSlots(view({ target, held: left }))).toEqual(rest());
  });
});

describe("lostSlots", () => {
  const checked = new Map([[4, token("5")]]);

  it.each<[string, number[], [number, HeldSlot][], number[]]>([
    ["none while Redis has the token", [], [[4, held()]], []],
    ["one that is stale", [4], [[4, held()]], [4]],
    ["one that drains, likewise", [4], [[4, held({ phase: "draining" })]], [4]],
    ["none that was dropped meanwhile", [4], [], []],
    ["none that has come back under another token meanwhile", [4], [[4, held({ token: token("6") })]], []],
  ])("%s", (_, stale, here, lost) => {
    expect(lostSlots(checked, stale, new Map(here))).toEqual(lost);
  });
});

describe("gatherMs", () => {
  it.each<[string, [quietMs: number, targetAgeMs: number, gatheringMs: number], number]>([
    ["until the target has been unchanged for the quiet time", [1_000, 300, 300], 700],
    ["not when it has been unchanged that long", [1_000, 1_000, 1_500], 0],
    ["anew after each change", [1_000, 0, 4_999], 1_000],
    ["for five quiet times at most", [200, 0, 1_000], 0],
    ["for 5 s at most", [4_000, 0, 5_000], 0],
    ["not at all when the quiet time is 0", [0, 0, 0], 0],
  ])("%s", (_, [quietMs, targetAgeMs, gatheringMs], ms) => {
    expect(gatherMs(quietMs, targetAgeMs, gatheringMs)).toBe(ms);
  });
});

describe("outdatedMembers", () => {
  it.each<[string, SeenOwner, readonly MemberRecord[], readonly string[]]>([
    [
      "names a member of which the view has another life",
      owner({ incarnation: "b2" }),
      [member({ state: "dead", buriedBy: "reaped" })],
      ["b"],
    ],
    ["omits the life in the view", owner(), [member()], []],
    ["omits the life before that", owner(), [member({ incarnation: "b2", former: { incarnation: "b1", end: "reaped" } })], []],
    ["omits a member that has just joined", owner(), [], []],
    ["omits the owner of a released slot", owner({ incarnation: "b2", state: "free" }), [member()], []],
    ["omits a slot without an owner", "none", [member()], []],
  ])("%s", (_, seen, records, names) => {
    expect(outdatedMembers([seen], members(...records))).toEqual(names);
  });
});
