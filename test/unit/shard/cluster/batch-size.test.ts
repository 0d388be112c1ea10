import { expect, it } from "vitest";
import { BatchSize } from "../../../../shard/cluster/batch-size.js";

it("halves with each rejection down to 32, and doubles again with each success", async () => {
  const batch = new BatchSize();
  const sizes: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    sizes.push(batch.now);
    await expect(batch.tried(() => Promise.reject(new Error("Command timed out")))).rejects.toThrow("Command timed out");
  }
  for (let i = 0; i < 6; i += 1) {
    sizes.push(batch.now);
    expect(await batch.tried(() => Promise.resolve("owners"))).toBe("owners");
  }
  expect(sizes).toEqual([512, 256, 128, 64, 32, 32, 32, 64, 128, 256, 512, 512]);
});
