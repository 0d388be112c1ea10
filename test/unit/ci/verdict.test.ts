import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const scripts = resolve(import.meta.dirname, "../../../.ci");
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "verdict-"))));
afterEach(() => rmSync(folder, { recursive: true }));

interface File {
  file: string;
  project: string;
  passed: number;
  failed: number;
  failures: { name: string; error: string; printed: string }[];
  printed: string;
}

function file(path: string, project: string, passed: number, failed: number): File {
  const failures = Array.from({ length: failed }, (_, i) => ({
    name: `test ${i}`,
    error: `Error: \u001b[31mnumber ${i}\u001b[39m`,
    printed: "saw it\n",
  }));
  return { file: path, project, passed, failed, failures, printed: "" };
}

function ran(
  name: string,
  files: File[],
  { exit = files.some(({ failed }) => failed > 0) ? 1 : 0, unhandled = [] as string[] } = {},
): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ files, unhandled }));
  writeFileSync(join(folder, `${name}.exit`), `${exit}\n`);
  writeFileSync(join(folder, `${name}.log`), `\u001b[2m      Tests \u001b[22m of ${name}\n`);
}

function run(script: string, ...rest: string[]): { code: number | null; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(scripts, script), folder, ...rest], { encoding: "utf8" });
  expect(stderr).toBe("");
  return { code: status, lines: stdout.trimEnd().split("\n") };
}

const verdict = (): { code: number | null; lines: string[] } => run("verdict.mjs", "here", "node24");

describe("the last line", () => {
  it("adds up the runs", () => {
    ran("here", [file("a", "unit", 5, 0), file("b", "system", 3, 0)]);
    ran("node24", [file("b", "system", 3, 0)]);
    expect(verdict()).toEqual({
      code: 0,
      lines: ["", "here:", "      Tests  of here", "", "node24:", "      Tests  of node24", "Tests: 11 passed, 0 failed"],
    });
  });
  it.each([
    { what: "a run without a report", prepare: () => undefined },
    { what: "a run that ended badly and found no test", prepare: () => ran("node24", [], { exit: 1 }) },
    { what: "an error that nobody caught", prepare: () => ran("node24", [], { exit: 1, unhandled: ["Error: nobody's"] }) },
    {
      what: "a file that could not be loaded",
      prepare: () => ran("node24", [{ ...file("a", "unit", 0, 1), failures: [{ name: "the file itself", error: "Error", printed: "" }] }]),
    },
  ])("counts $what as one failure", ({ prepare }) => {
    ran("here", [file("a", "unit", 5, 0)]);
    prepare();
    const { code, lines } = verdict();
    expect(lines.at(-1)).toBe("Tests: 5 passed, 1 failed");
    expect(code).toBe(1);
  });
});

describe("a failed file", () => {
  it("runs once more, with its own script, unless more than three failed", () => {
    ran("here", [file("a", "system", 1, 0), file("b", "unit", 1, 1), file("c", "system", 1, 2)]);
    ran("node24", [file("c", "system", 1, 1)]);
    const again = (): string[] => run("failed-files.mjs", "here=test", "node24=test:node24").lines;
    expect(again()).toEqual(["here-again-1 test b", "here-again-2 test c", "node24-again-1 test:node24 c"]);
    ran("node24", [file("c", "system", 1, 1), file("d", "system", 0, 1)]);
    expect(again()).toEqual([""]);
  });

  it("is told with its error and what it printed, directly before the counts", () => {
    ran("here", [file("b", "unit", 1, 1)]);
    ran("node24", []);
    expect(verdict().lines.slice(0, 6)).toEqual([
      "",
      "FAILED (here; not run again) b > test 0",
      "  Error: number 0",
      "  it printed:",
      "  saw it",
      "",
    ]);
  });

  it.each([
    {
      project: "system",
      passedAlone: true,
      told: "FLAKY (here; failed beside others, passed alone)",
      last: "Tests: 9 passed, 0 failed",
      exits: 0,
    },
    {
      project: "conformance",
      passedAlone: true,
      told: "FLAKY (here; failed beside others, passed alone)",
      last: "Tests: 9 passed, 0 failed",
      exits: 0,
    },
    { project: "system", passedAlone: false, told: "FAILED (here; failed again)", last: "Tests: 8 passed, 1 failed", exits: 1 },
    {
      project: "unit",
      passedAlone: true,
      told: "FAILED (here; failed beside others, passed alone)",
      last: "Tests: 8 passed, 1 failed",
      exits: 1,
    },
    {
      project: "contract",
      passedAlone: true,
      told: "FAILED (here; failed beside others, passed alone)",
      last: "Tests: 8 passed, 1 failed",
      exits: 1,
    },
    {
      project: "process",
      passedAlone: true,
      told: "FAILED (here; failed beside others, passed alone)",
      last: "Tests: 8 passed, 1 failed",
      exits: 1,
    },
  ])("of $project that passed alone ($passedAlone): $told", ({ project, passedAlone, told, last, exits }) => {
    ran("here", [file("a", "unit", 5, 0), file("b", project, 3, 1)]);
    ran("here-again-1", [passedAlone ? file("b", project, 4, 0) : file("b", project, 3, 1)]);
    ran("node24", []);
    const { code, lines } = verdict();
    expect(lines[1]).toBe(`${told} b > test 0`);
    expect(lines.at(-1)).toBe(last);
    expect(code).toBe(exits);
  });

  it.each([
    { what: "left a test out", again: () => ran("here-again-1", [file("b", "system", 3, 0)]) },
    { what: "ended badly", again: () => ran("here-again-1", [file("b", "system", 4, 0)], { exit: 1 }) },
    { what: "left no report", again: () => undefined },
  ])("stays failed when its second run $what", ({ again }) => {
    ran("here", [file("b", "system", 3, 1)]);
    ran("node24", []);
    again();
    expect(verdict().lines.at(-1)).toBe("Tests: 3 passed, 1 failed");
  });

  it("has no second chance among more than three, nor beside an error that nobody caught", () => {
    const names = ["a", "b", "c", "d"];
    ran(
      "here",
      names.map((name) => file(name, "system", 0, 1)),
    );
    ran("node24", []);
    for (const [at, name] of names.entries()) ran(`here-again-${at + 1}`, [file(name, "system", 1, 0)]);
    expect(verdict()).toMatchObject({ code: 1, lines: expect.arrayContaining(["Tests: 0 passed, 4 failed"]) });
    ran("here", [file("a", "system", 0, 1)], { unhandled: ["Error: nobody's"] });
    expect(verdict()).toMatchObject({ code: 1, lines: expect.arrayContaining(["  Error: nobody's", "Tests: 1 passed, 1 failed"]) });
  });
});
