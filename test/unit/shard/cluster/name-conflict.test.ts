import { expect, it } from "vitest";
import { isAlive, signsAfter, type NameHolder, type HolderSigns } from "../../../../shard/cluster/name-conflict.js";

const read = (sequence: number, change: Partial<NameHolder> = {}): NameHolder => ({
  incarnation: "b1",
  sequence: String(sequence),
  state: "active",
  ...change,
});

it.each<[string, (NameHolder | undefined)[], boolean]>([
  ["no process has the name", [undefined], false],
  ["it is there, and never beats", Array.from({ length: 50 }, () => read(1)), false],
  ["its first beat may be older than the first read", [read(7)], false],
  ["one beat may be the last of a process that was killed", [read(1), read(2), read(2), read(2)], false],
  ["two beats are a living process's", [read(1), read(2), read(3)], true],
  ["however far apart", [read(1), read(1), read(2), read(2), read(2), read(9)], true],
  ["beats of one that drains count for nothing", [1, 2, 3, 4].map((sequence) => read(sequence, { state: "draining" })), false],
  ["nor those before it drained", [read(1), read(2), read(3, { state: "draining" }), read(4)], false],
  ["one that is dead is over, whatever it did before", [read(1), read(2), read(2, { state: "dead" })], false],
  ["another incarnation starts again", [read(1), read(2), read(1, { incarnation: "b2" }), read(2, { incarnation: "b2" })], false],
  ["no holder in between starts again", [read(1), read(2), undefined, read(3), read(4)], false],
])("%s", (_, reads, alive) => {
  expect(isAlive(reads.reduce<HolderSigns | undefined>(signsAfter, undefined))).toBe(alive);
});
