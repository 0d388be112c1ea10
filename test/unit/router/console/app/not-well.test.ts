import { describe, expect, it } from "vitest";
import type { Keyring, MemberRow } from "../../../../../router/console/app/api/operator-rows.js";
import { drainStarts } from "../../../../../router/console/app/pages/members/drain-starts.js";
import { memberTone } from "../../../../../router/console/app/pages/members/member-tone.js";
import { notKnown } from "../../../../../router/console/app/pages/overview/not-known.js";
import { notWell } from "../../../../../router/console/app/pages/overview/not-well.js";
import { listedNow, silentProcesses } from "../../../../../router/console/app/pages/overview/silent-processes.js";
import { clockText } from "../../../../../router/console/app/ui/instant-text.js";
import { entered, tallyOf } from "../../../../../router/console/app/pages/overview/tally.js";

const shard: MemberRow = {
  name: "shard-1",
  role: "shard",
  state: "active",
  drained: false,
  host: "a",
  version: "1",
  slots: 4096,
  sessions: 10,
  loopLagMs: 5,
  memoryBytes: 1,
};
const router: MemberRow = { ...shard, name: "router-1", role: "router", slots: null, sessions: null };
const well = { connected: 100, "awaiting-qr": 0, "awaiting-password": 0, disconnected: 0 };
const key = { id: "a", sealing: true, records: 1, neededUntil: "", removable: false, missing: [] };
const keyring: Keyring = {
  sealing: "a",
  keys: [key],
  members: [],
  rotation: null,
  erasure: { heldSince: "", rewritten: "", problem: "" },
};
const problems = (...given: Parameters<typeof notWell>): string[] => notWell(...given).map(({ tone, text }) => `${tone}: ${text}`);

describe("the list of problems", () => {
  it("is empty without a problem, and while only the members are loaded", () => {
    expect(problems([shard, router], well, keyring)).toEqual([]);
    expect(problems([shard, router], undefined, undefined)).toEqual([]);
  });

  it.each<[string, readonly MemberRow[], readonly string[]]>([
    ["no shard", [router], ["bad: No active shards. All accounts are offline."]],
    ["a dead shard", [shard, { ...shard, name: "shard-2", state: "dead", version: null }], ["bad: shard-2 is down"]],
    ["a shard that stopped in order", [shard, { ...shard, name: "shard-2", state: "gone", version: null }], []],
    [
      "a drained shard",
      [shard, { ...shard, name: "shard-2", state: "drained" }],
      ["warn: shard-2 is drained. Its sessions run on other shards."],
    ],
    [
      "a draining shard",
      [shard, { ...shard, name: "shard-2", state: "draining" }],
      ["warn: shard-2 is draining. Its sessions are moving to other shards."],
    ],
    ["a process without a heartbeat", [shard, { ...router, version: null }], ["warn: No heartbeat from router-1 for 15 s"]],
    ["a process with event loop lag", [shard, { ...router, loopLagMs: 312.4 }], ["warn: router-1 is overloaded (event loop lag 312 ms)"]],
    ["two versions", [shard, { ...router, version: "2" }], ["warn: Mixed versions running: 1, 2"]],
  ])("shows %s", (_, members, expected) => {
    expect(problems(members, well, undefined)).toEqual(expected);
  });

  it.each([
    [4, 0, ["warn: 4 accounts are disconnected"]],
    [1, 100, ["warn: 1 account is disconnected"]],
    [5, 100, ["warn: 5 accounts are disconnected"]],
    [50, 100, ["bad: 50 accounts are disconnected"]],
  ])("grades %s disconnected accounts beside %s connected ones", (disconnected, connected, expected) => {
    expect(problems([shard], { ...well, connected, disconnected }, undefined)).toEqual(expected);
  });

  it("shows a missing key, undecryptable records and a refused rewrite, the worst first", () => {
    expect(
      problems(
        [shard],
        { ...well, disconnected: 1 },
        {
          ...keyring,
          keys: [{ ...key, missing: ["shard-2"] }],
          rotation: { state: "ended", total: 9, done: 7, failed: 2, started: "", ended: "", member: "" },
          erasure: { heldSince: "2026-11-22T00:00:00Z", rewritten: "", problem: "refused" },
        },
      ),
    ).toEqual([
      "bad: Encryption key a is active but missing on shard-2",
      "warn: 1 account is disconnected",
      "warn: 2 records can't be decrypted",
      "warn: Redis AOF rewrite refused. Keys of deleted sessions are still on disk.",
    ]);
  });
});

describe("the list of stale data", () => {
  const [now, read] = [100_000, { at: 97_000, failure: undefined }];

  it("is empty if every part was read recently, or is loading for the first time", () => {
    expect(
      notKnown(
        [
          { name: "Cluster", ...read },
          { name: "Keys", at: undefined, failure: undefined },
        ],
        now,
      ),
    ).toEqual([]);
  });

  it("names old and failed parts with the age of their data", () => {
    const parts = [
      { name: "Cluster", ...read, at: 74_000 },
      { name: "Sessions", ...read, failure: new Error("server busy") },
      { name: "Keys", at: undefined, failure: new Error("server busy") },
    ];
    expect(notKnown(parts, now)).toEqual(["Cluster: last updated 26 s ago", "Sessions: last updated 3 s ago", "Keys: not loaded yet"]);
  });
});

describe("a router or supervisor that disappears", () => {
  const listed = listedNow(new Map(), [shard, router], 1_000);

  it("is shown after it left the member list, unlike a shard", () => {
    expect(silentProcesses(listed, [shard, router])).toEqual([]);
    expect(silentProcesses(listed, []).map(({ text }) => text)).toEqual([`No heartbeat from router-1 since ${clockText(1_000)}`]);
  });

  it("is forgotten after ten minutes", () => {
    expect(silentProcesses(listedNow(listed, [shard], 602_000), [shard])).toEqual([]);
  });
});

it("counts sessions by state without deleted ones", () => {
  let states = entered(entered(new Map(), "a", "connected"), "b", "awaiting-qr");
  expect(tallyOf(states)).toEqual({ ...well, connected: 1, "awaiting-qr": 1 });
  states = entered(entered(states, "b", "connected"), "a", "deleted");
  expect(tallyOf(states)).toEqual({ ...well, connected: 1 });
});

it("shows each state of a member in its tone", () => {
  const states = ["active", "draining", "drained", "gone", "dead"] as const;
  expect(states.map((state) => memberTone({ ...shard, state }))).toEqual(["good", "warn", "warn", "idle", "bad"]);
  expect(memberTone({ ...shard, version: null })).toBe("warn");
  expect(memberTone({ ...shard, loopLagMs: 201 })).toBe("warn");
});

it("keeps the number of slots at the start of a drain until it ends", () => {
  const draining = (slots: number | null): MemberRow => ({ ...shard, state: "draining", slots });
  const begun = drainStarts(new Map(), [draining(2_048)]);
  expect([...drainStarts(drainStarts(begun, [draining(100)]), [draining(null)])]).toEqual([["shard-1", 2_048]]);
  expect([...drainStarts(begun, [shard])]).toEqual([]);
});
