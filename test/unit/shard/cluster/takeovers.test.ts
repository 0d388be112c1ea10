import { expect, it } from "vitest";
import { Takeovers, type Takeover } from "../../../../shard/cluster/takeovers.js";

const dead = (name: string, incarnation = "i1") => ({ name, incarnation });

it("reports each death once when the run ends, with all its slots and sessions", () => {
  const reported: Takeover[] = [];
  // Each slot has three sessions.
  const takeovers = new Takeovers(
    (slots) => 3 * slots.size,
    (takeover) => void reported.push(takeover),
  );
  takeovers.add([
    { slot: 1, dead: dead("shard-1") },
    { slot: 2, dead: dead("shard-2") },
    { slot: 3, dead: dead("shard-1") },
  ]);
  takeovers.add([{ slot: 4, dead: dead("shard-1") }]);
  // Another life of the same member died, too.
  takeovers.add([{ slot: 5, dead: dead("shard-1", "i2") }]);
  takeovers.add([]);
  expect(reported).toEqual([]);
  takeovers.reportAll();
  expect(reported).toEqual([
    { member: "shard-1", slots: 3, sessions: 9 },
    { member: "shard-2", slots: 1, sessions: 3 },
    { member: "shard-1", slots: 1, sessions: 3 },
  ]);
  takeovers.reportAll();
  expect(reported).toHaveLength(3);
});
