import { expect, it } from "vitest";
import { renderCost, renderCostMax } from "../../../../../shard/files/image/render-cost.js";
import type { RenderTask } from "../../../../../shard/files/image/render-task.js";

const scaled = (source: Uint8Array | string): RenderTask => ({ name: "scale-image", input: { source, maxSide: 320, quality: 80 } });

it.each<[string, RenderTask, number]>([
  ["a small picture", scaled(Buffer.alloc(1_000)), 2],
  ["a large one", scaled(Buffer.alloc(9 * 1024 * 1024)), 6],
  ["the largest, no more than the most", scaled(Buffer.alloc(64 * 1024 * 1024)), renderCostMax],
  ["a file that nobody has looked into", scaled("/tmp/picture.jpg"), 3],
  ["a text story", { name: "text-card", input: { text: "hello" } }, renderCostMax],
])("%s", (_, task, cost) => {
  expect(renderCost(task)).toBe(cost);
});
