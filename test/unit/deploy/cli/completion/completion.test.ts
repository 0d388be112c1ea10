import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandTree } from "../../../../../deploy/cli/completion/command-tree.js";
import { completionScript } from "../../../../../deploy/cli/completion/completion-script.js";
import { createProgram } from "../../../../../deploy/cli/program.js";

const quiet = { write: () => true };
const program = createProgram({
  environment: {},
  stdin: process.stdin,
  stdout: quiet,
  stderr: quiet,
  signal: new AbortController().signal,
});
const tree = commandTree(program);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "completion-"));
  writeFileSync(join(folder, "bash"), completionScript("bash", tree));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the words that bash offers after these words. */
function offered(...words: string[]): string[] {
  const line = ["trunkline", ...words];
  const script = `. ${join(folder, "bash")}; COMP_WORDS=(${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length - 1}; _trunkline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8", cwd: folder }).split("\n").filter(Boolean);
}

describe("bash", () => {
  it.each<[string[], string[]]>([
    [["ses"], ["session"]],
    [["session", "un"], ["undelete"]],
    [["--json", "session", "un"], ["undelete"]],
    [["session", "list", "--pl"], ["--platform"]],
    [["session", "list", "--platform", "t"], ["telegram"]],
    [["dead-letters", "re"], ["replay"]],
    [["completion", "--js"], ["--json"]],
    [["restore", "ba"], ["bash"]],
  ])("completes %j by %j", (words, wanted) => {
    expect(offered(...words)).toEqual(wanted);
  });
});

it("describes every command and option to fish, with text that cannot end its quotes", () => {
  const script = completionScript("fish", tree);
  for (const { name } of tree[0]?.commands ?? []) expect(script).toContain(` -a ${name} `);
  for (const line of script.trim().split("\n")) expect((line.replace(/\\'/g, "").match(/'/g) ?? []).length % 2).toBe(0);
});

it("zsh takes bash's", () => {
  expect(completionScript("zsh", tree)).toMatch(/^#compdef trunkline\n[^]*bashcompinit[^]*complete -F _trunkline trunkline/);
});
