import { expect, it } from "vitest";
import { afterCount, passesMax, tally, type Counted } from "../../../../../shard/cluster/keyring/rotation-plan.js";

const counted = (found: Record<string, number>, change: Partial<Counted> = {}): Counted => ({
  found: new Map(Object.entries(found)),
  sealing: "b",
  passes: 0,
  failed: 0,
  ...change,
});

it.each<[string, Counted, ReturnType<typeof afterCount>]>([
  ["an empty Redis", counted({}), { next: "end", old: 0 }],
  ["all under the new key", counted({ b: 5 }), { next: "end", old: 0 }],
  ["some under old ones", counted({ a: 2, b: 5, c: 1 }), { next: "resealing", old: 3 }],
  ["failures before the first pass do not count", counted({ a: 2 }, { failed: 2 }), { next: "resealing", old: 2 }],
  ["as many as did not open", counted({ a: 2, b: 5 }, { passes: 1, failed: 2 }), { next: "end", old: 2 }],
  ["more than did not open", counted({ a: 3, b: 5 }, { passes: 1, failed: 2 }), { next: "resealing", old: 3 }],
  ["a process that goes on with the old key", counted({ a: 3 }, { passes: passesMax }), { next: "end", old: 3 }],
])("after a count: %s", (_, given, expected) => {
  expect(afterCount(given)).toEqual(expected);
});

it("counts texts by the key that sealed them", () => {
  expect(tally([{ sealed: "a.x" }, { sealed: "b.y" }, { sealed: "a.z" }])).toEqual(
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  );
});
