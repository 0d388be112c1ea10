import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

it("leaves counts, and what failed with its error and what it printed", () => {
  const folder = mkdtempSync(join(tmpdir(), "run-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = join(folder, "report.json");
  // A root without a configuration gets vitest's defaults.
  const options = [`--root=${import.meta.dirname}`, `--reporter=${root}/.ci/run-report.mjs`, `--outputFile.report=${report}`];
  spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...options, "failing.spec.ts"]);
  expect(JSON.parse(readFileSync(report, "utf8"))).toEqual({
    files: [
      {
        file: "failing.spec.ts",
        project: "",
        passed: 1,
        failed: 1,
        failures: [
          {
            name: "a file > fails",
            error: expect.stringMatching(/^AssertionError: expected 1 to be 2 .*\nat .*failing\.spec\.ts:9:\d+\n/),
            printed: "what it saw\n",
          },
        ],
        printed: "",
      },
    ],
    unhandled: [],
  });
});
