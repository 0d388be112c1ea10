import { defineConfig } from "vitest/config";
import { compiledValidators } from "./compiled-validators.js";

const root = new URL("..", import.meta.url).pathname;

/**
 * Three groups, one after another. Tests that start a whole gateway mostly wait, for platforms, leases and pauses: on two cores three files of them run side by side,
 * each with ports, folders and a Redis of its own (test/harness). Those that kill and freeze processes, compare whole runs, or weigh what is left in memory at
 * one moment, have the machine for themselves.
 */
const alone = [
  "test/cluster/**/*.test.ts",
  "test/journey/**/*.test.ts",
  "test/conformance/kills.test.ts",
  "test/contract/telegram/media-aborts.test.ts",
  "test/platform/telegram/connection.test.ts",
];
const sideBySide = [
  "test/conformance/**/*.test.ts",
  "test/contract/**/*.test.ts",
  "test/platform/**/*.test.ts",
  "test/sandbox/**/*.test.ts",
];

export default defineConfig({
  root,
  plugins: [compiledValidators(root)],
  cacheDir: `${root}.cache/vitest`,
  test: {
    environment: "node",
    pool: "forks",
    reporters: ["default"],
    // These end a test that hangs, and prove nothing: a machine of one busy core needs several times what ours does.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/unit/**/*.test.ts", "test/*.test.ts"], maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: "system", include: sideBySide, exclude: alone, maxWorkers: 3, sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: "alone", include: alone, fileParallelism: false, sequence: { groupOrder: 2 } } },
    ],
  },
});
