import { expect, it } from "vitest";
import { CompactMap } from "../../../../shared/flow/compact-map.js";

it("does what a map does, in the same order, however much comes and goes", () => {
  const [ours, reference] = [new CompactMap<number, string>(), new Map<number, string>()];
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
      expect(ours.delete(key)).toBe(reference.delete(key));
    }
    expect(ours.size).toBe(reference.size);
    expect(ours.get(key)).toBe(reference.get(key));
    expect(ours.has(key)).toBe(reference.has(key));
    if (step % 100 !== 0) continue;
    expect([...ours]).toEqual([...reference]);
    expect([...ours.keys()]).toEqual([...reference.keys()]);
    expect([...ours.values()]).toEqual([...reference.values()]);
  }
});
