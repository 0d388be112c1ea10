import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mostAgain, readRun } from "./test-runs.mjs";

// `verdict.mjs <folder> <run>...` prints the failures with the result of their second runs, each run's counts, and "Tests: N passed, N
// failed". Exits with 1 if anything failed.

const [mostTold, linesTold] = [20, 15];

const [folder, ...names] = process.argv.slice(2);
const runs = names.map((name) => readRun(folder, name));
const failedFiles = runs.flatMap((run) =>
  run.files
    .filter(({ failed }) => failed > 0)
    .map((file, at) => {
      const again = readRun(folder, `${run.name}-again-${at + 1}`);
      // The second run must pass as many tests as the first: a run that skips tests proves nothing.
      const passedAlone = again.reported && again.exit === 0 && sum(again.files, "passed") >= file.passed + file.failed;
      return { run, file, again, passedAlone };
    }),
);
// Tests that start and kill real processes on a shared machine may be flaky. No other file may (.github/CONTRIBUTING.md, "Flaky tests").
const ofProcesses = new Set(["system", "conformance"]);
const flaky =
  failedFiles.length <= mostAgain ? failedFiles.filter(({ file, passedAlone }) => passedAlone && ofProcesses.has(file.project)) : [];

let told = 0;
for (const failed of failedFiles) {
  const { run, file, again } = failed;
  const outcome = !again.reported ? "not run again" : failed.passedAlone ? "failed beside others, passed alone" : "failed again";
  for (const { name, error, printed } of file.failures) {
    told += 1;
    if (told > mostTold) continue;
    console.log(`\n${flaky.includes(failed) ? "FLAKY" : "FAILED"} (${run.name}; ${outcome}) ${file.file} > ${name}`);
    tell("", error);
    tell("  it printed:\n", printed || file.printed);
  }
}
if (told > mostTold) console.log(`\nand ${told - mostTold} more`);
for (const { name, unhandled } of runs) {
  for (const error of unhandled) {
    console.log(`\nUNHANDLED (${name}): belongs to no test`);
    tell("", error);
  }
}

for (const run of runs) {
  const log = join(folder, `${run.name}.log`);
  const lines = existsSync(log) ? plain(readFileSync(log, "utf8")).split("\n") : [];
  console.log(`\n${run.name}:`);
  for (const line of lines.filter((line) => /^ *(Test Files|Tests|Errors) |^setup: .* did not run/.test(line)).slice(-3)) console.log(line);
}
if (flaky.length > 0) console.log(`\n${flaky.length} flaky: counted as passed, and a defect to be hunted`);

const forgiven = flaky.reduce((total, { file }) => total + file.failed, 0);
const passed = runs.reduce((total, { files }) => total + sum(files, "passed"), 0) + forgiven;
// An uncaught error belongs to no test. A run that failed without a named failure counts as one failure: it wrote no report, or found no
// test.
const failuresOf = ({ files, unhandled, exit }) => sum(files, "failed") + unhandled.length || (exit === 0 ? 0 : 1);
const failed = runs.reduce((total, run) => total + failuresOf(run), 0) - forgiven;
process.exitCode = failed > 0 ? 1 : 0;
console.log(`Tests: ${passed} passed, ${failed} failed`);

function sum(files, count) {
  return files.reduce((total, file) => total + file[count], 0);
}

function tell(label, text) {
  const lines = plain(text).trimEnd().split("\n");
  const first = lines.slice(0, linesTold).map((line) => `  ${line}`.slice(0, 300));
  if (text !== "")
    console.log(`${label}${first.join("\n")}${lines.length > linesTold ? `\n  … ${lines.length - linesTold} more lines` : ""}`);
}

function plain(text) {
  return text.replaceAll(/\u001b\[[0-9;]*m/g, "");
}
