import { describe, expect, it } from "vitest";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";
import type { ReceivedReport } from "../../../../shared/cluster/process-report.js";
import { memberKey, memberRows, type MemberRow } from "../../../../router/admin/member-rows.js";

const member = (change: Partial<MemberRecord> = {}): MemberRecord => ({
  name: "shard-1",
  incarnation: "i1",
  sequence: "1",
  state: "active",
  weight: 1,
  host: "h1",
  buriedBy: "",
  ...change,
});
const report = (change: Partial<ReceivedReport> = {}): ReceivedReport => ({
  role: "shard",
  name: "shard-1",
  host: "h1",
  version: "1.2.3",
  slots: 12,
  sessions: 3,
  loopLagMs: 4,
  memoryBytes: 5,
  ageMs: 6,
  ...change,
});
const load = { version: "1.2.3", slots: 12, sessions: 3, loopLagMs: 4, memoryBytes: 5 };
const unknown = { version: null, slots: null, sessions: null, loopLagMs: null, memoryBytes: null };
const shard = { name: "shard-1", role: "shard", host: "h1" } as const;

describe("memberRows", () => {
  it.each<[string, MemberRecord[], ReceivedReport[], string[], MemberRow[]]>([
    ["a shard with its load", [member()], [report()], [], [{ ...shard, state: "active", drained: false, ...load }]],
    ["a shard that has told nothing yet", [member()], [], [], [{ ...shard, state: "active", drained: false, ...unknown }]],
    [
      "one that is drained and still has slots",
      [member()],
      [report()],
      ["shard-1"],
      [{ ...shard, state: "draining", drained: true, ...load }],
    ],
    [
      "one that is drained and has none left",
      [member()],
      [report({ slots: 0 })],
      ["shard-1"],
      [{ ...shard, state: "drained", drained: true, ...load, slots: 0 }],
    ],
    [
      "one that is drained, of which nobody knows what it has",
      [member()],
      [],
      ["shard-1"],
      [{ ...shard, state: "draining", drained: true, ...unknown }],
    ],
    ["one whose process ends", [member({ state: "draining" })], [report()], [], [{ ...shard, state: "draining", drained: false, ...load }]],
    [
      "one that is dead keeps its mark, and what it told last is not shown",
      [member({ state: "dead" })],
      [report()],
      ["shard-1"],
      [{ ...shard, state: "dead", drained: true, ...unknown }],
    ],
    [
      "routers and supervisors",
      [],
      [{ role: "router", name: "router-1", host: "h2", version: "1.2.3", loopLagMs: 1, memoryBytes: 2, ageMs: 3 }],
      [],
      [
        {
          ...{ name: "router-1", role: "router", host: "h2", state: "active", drained: false, version: "1.2.3" },
          ...{ slots: null, sessions: null, loopLagMs: 1, memoryBytes: 2 },
        },
      ],
    ],
    [
      "a router that has a shard's name is not the shard",
      [member({ name: "x" })],
      [report({ role: "router", name: "x" })],
      [],
      [
        { ...shard, name: "x", state: "active", drained: false, ...unknown },
        { ...shard, name: "x", role: "router", state: "active", drained: false, ...load },
      ],
    ],
  ])("%s", (_, members, reports, drained, rows) => {
    expect(memberRows(members, reports, new Set(drained))).toEqual(rows);
  });

  it("have keys of their own where names are the same", () => {
    const rows = memberRows(
      [member({ name: "x" })],
      [report({ role: "router", name: "x" }), report({ role: "supervisor", name: "x", host: "h2" })],
      new Set(),
    );
    expect(new Set(rows.map(memberKey)).size).toBe(3);
  });
});
