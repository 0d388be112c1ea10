import { expect, it } from "vitest";
import { nodeArguments, semiSpaceMiB } from "../../../../deploy/supervisor/process-start.js";

it.each([
  [0.5, 16],
  [24, 16],
  [32, 32],
  [63, 32],
  [64, 64],
  [1_024, 64],
])("a shard on a machine with %s GiB has semi-spaces of %s MiB", (gibibytes, mebibytes) => {
  expect(semiSpaceMiB(gibibytes * 1024 ** 3)).toBe(mebibytes);
});

it("a shard has one size of semi-spaces", () => {
  expect(nodeArguments.shard.filter((argument) => argument.startsWith("--max-semi-space-size="))).toHaveLength(1);
});
