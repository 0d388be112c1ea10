import { expect, it } from "vitest";
import { CompactMap } from "../../../../shared/flow/compact-map.js";

it("does what a map does, in the same order, however much comes and goes", () => {
  const [ours, reference] = [new CompactMap<number, string>(), new Map<number, string>()];
  const wrong: string[] = [];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let step = 0; step < 20_000; step += 1) {
    const key = random(step % 5_000 < 2_500 ? 8 : 300);
    if (random(2) === 0) {
      ours.set(key, `${step}`);
      reference.set(key, `${step}`);
    } else {
      if (ours.delete(key) !== reference.delete(key)) wrong.push(`delete in step ${step}`);
    }
    if (ours.size !== reference.size) wrong.push(`size in step ${step}`);
    if (ours.get(key) !== reference.get(key)) wrong.push(`get in step ${step}`);
    if (ours.has(key) !== reference.has(key)) wrong.push(`has in step ${step}`);
    if (step % 100 !== 0) continue;
    expect([...ours]).toEqual([...reference]);
    expect([...ours.keys()]).toEqual([...reference.keys()]);
    expect([...ours.values()]).toEqual([...reference.values()]);
  }
  expect(wrong).toEqual([]);
});
