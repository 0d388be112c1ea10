import { expect, it } from "vitest";
import { memoryLimit } from "../../../../shared/process/memory-limit.js";

const [mebibyte, beyondAll] = [1024 ** 2, 2 ** 64];

it.each([
  ["a container with a limit", 8_192 * mebibyte, 512 * mebibyte, 512 * mebibyte],
  ["a container that may use more than the host has", 8_192 * mebibyte, beyondAll, 8_192 * mebibyte],
  ["no limit", 8_192 * mebibyte, 0, 8_192 * mebibyte],
])("%s", (_, host, constrained, limit) => {
  expect(memoryLimit(host, constrained)).toBe(limit);
});
