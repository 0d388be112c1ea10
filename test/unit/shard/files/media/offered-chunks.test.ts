import { expect, it } from "vitest";
import { offeredChunks } from "../../../../../shard/files/media/offered-chunks.js";

const bytes = Buffer.from("chunk");
const calls: unknown[] = [];
const store = {
  put: (...chunk: unknown[]) => Promise.resolve(void calls.push(["put", ...chunk])),
  length: () => Promise.resolve(5),
};

it("offers each chunk to the router of its process, and stores it", async () => {
  const offered = offeredChunks(store, { offer: (...chunk) => void calls.push(["offer", ...chunk]) });
  await offered.put("file", 7, bytes);
  expect(calls).toEqual([
    ["offer", "file", 7, bytes],
    ["put", "file", 7, bytes],
  ]);
  expect(await offered.length("file", 7)).toBe(5);
});

it("is the store itself where a shard has its process alone", () => {
  expect(offeredChunks(store, undefined)).toBe(store);
});
