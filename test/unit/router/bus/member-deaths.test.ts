import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { watchMemberDeaths } from "../../../../router/bus/member-deaths.js";
import type { MemberRecord } from "../../../../shared/cluster/membership.js";

type Seen = Pick<MemberRecord, "incarnation" | "state" | "buriedBy">;

/** Returns the deaths that the watch counts when it polls one shard repeatedly. */
function deaths(...views: readonly (Seen | undefined)[]): string[] {
  const counted: string[] = [];
  let records: MemberRecord[] = [];
  const members = Object.assign(new EventEmitter<{ change: [] }>(), { all: () => records });
  watchMemberDeaths(members, (cause) => counted.push(cause));
  for (const view of views) {
    records = view === undefined ? [] : [{ name: "shard-1", sequence: "1", weight: 1, host: "h", ...view }];
    members.emit("change");
  }
  return counted;
}

const alive = (incarnation: string): Seen => ({ incarnation, state: "active", buriedBy: "" });
const draining: Seen = { incarnation: "a", state: "draining", buriedBy: "" };
const gone: Seen = { incarnation: "a", state: "gone", buriedBy: "" };
const dead = (incarnation: string, buriedBy: MemberRecord["buriedBy"]): Seen => ({ incarnation, state: "dead", buriedBy });

it.each<[string, string[], (Seen | undefined)[]]>([
  ["a shard that was reaped", ["reaped"], [alive("a"), dead("a", "reaped"), dead("a", "reaped"), alive("b")]],
  ["one that fell silent", ["timeout"], [alive("a"), dead("a", "timeout")]],
  ["each of its lives", ["reaped", "fenced"], [alive("a"), dead("a", "reaped"), dead("b", "fenced")]],
  ["one whose next life was there first", ["replaced"], [alive("a"), alive("b")]],
  ["none that leaves in order", [], [alive("a"), draining, gone, alive("b")]],
  ["none that leaves in order, unseen", [], [alive("a"), draining, alive("b")]],
  ["none that was dead before we began", [], [dead("a", "reaped"), alive("b")]],
  ["one that came and died after we began", ["timeout"], [undefined, dead("a", "timeout")]],
])("counts %s", (_, counted, views) => {
  expect(deaths(...views)).toEqual(counted);
});
