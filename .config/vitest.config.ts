import { defineConfig } from "vitest/config";
import { compiledValidators } from "./compiled-validators.js";

const root = new URL("..", import.meta.url).pathname;

/** Tests that start processes of their own share two cores: files of these folders run one after another. */
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
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts", "test/*.test.ts"], maxWorkers: 2 } },
      { extends: true, test: { name: "system", include: ["test/{contract,cluster,platform,sandbox,journey}/**/*.test.ts"], fileParallelism: false } },
    ],
  },
});
