import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const script = resolve(import.meta.dirname, "../../../.ci/count.mjs");
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "count-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function report(name: string, numPassedTests: number, numFailedTests: number, testResults: object[] = []): string {
  writeFileSync(join(folder, name), JSON.stringify({ numPassedTests, numFailedTests, testResults }));
  return join(folder, name);
}

const counted = (...files: string[]): string => spawnSync(process.execPath, [script, ...files], { encoding: "utf8" }).stdout;

it("adds up the reports of all runs", () => {
  expect(counted(report("a", 5, 1), report("b", 7, 2))).toBe("Tests: 12 passed, 3 failed\n");
});

it("counts a run that left no report, and a file that could not be loaded, as one failure each", () => {
  const loaded = { status: "failed", assertionResults: [{ status: "failed" }] };
  const unloadable = { status: "failed", assertionResults: [] };
  expect(counted(report("a", 5, 1, [loaded, unloadable]), join(folder, "none"))).toBe("Tests: 5 passed, 3 failed\n");
});
