import { expect, it } from "vitest";
import { isAlive, signsAfter, type NameHolder, type HolderSigns } from "../../../../shard/cluster/name-conflict.js";

const look = (sequence: number, change: Partial<NameHolder> = {}): NameHolder => ({
  incarnation: "b1",
  sequence: String(sequence),
  state: "active",
  ...change,
});

it.each<[string, (NameHolder | undefined)[], boolean]>([
  ["nobody has the name", [undefined], false],
  ["it is there, and never beats", Array.from({ length: 50 }, () => look(1)), false],
  ["its first beat may have been there before it was looked at", [look(7)], false],
  ["one beat may be the last of a process that was killed", [look(1), look(2), look(2), look(2)], false],
  ["two beats are a living process's", [look(1), look(2), look(3)], true],
  ["however far apart", [look(1), look(1), look(2), look(2), look(2), look(9)], true],
  ["beats of one that drains count for nothing", [1, 2, 3, 4].map((sequence) => look(sequence, { state: "draining" })), false],
  ["nor those before it drained", [look(1), look(2), look(3, { state: "draining" }), look(4)], false],
  ["one that is dead is over, whatever it did before", [look(1), look(2), look(2, { state: "dead" })], false],
  ["another incarnation begins anew", [look(1), look(2), look(1, { incarnation: "b2" }), look(2, { incarnation: "b2" })], false],
  ["nobody in between: likewise", [look(1), look(2), undefined, look(3), look(4)], false],
])("%s", (_, looks, alive) => {
  expect(isAlive(looks.reduce<HolderSigns | undefined>(signsAfter, undefined))).toBe(alive);
});
