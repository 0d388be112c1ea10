import { expect, it } from "vitest";
import { mapBounded } from "../../../../shard/flow/map-bounded.js";

it("keeps the order of the items, and runs no more than its limit at once", async () => {
  let running = 0;
  let most = 0;
  const doubled = await mapBounded([5, 4, 3, 2, 1], 2, async (item) => {
    most = Math.max(most, (running += 1));
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running -= 1;
    return 2 * item;
  });
  expect([doubled, most]).toEqual([[10, 8, 6, 4, 2], 2]);
});

it("rejects with the first failure, and begins nothing after it", async () => {
  const begun: number[] = [];
  const mapping = mapBounded([1, 2, 3, 4], 1, (item) => {
    begun.push(item);
    return item === 2 ? Promise.reject(new Error("broken")) : Promise.resolve(item);
  });
  await expect(mapping).rejects.toThrow("broken");
  expect(begun).toEqual([1, 2]);
});
