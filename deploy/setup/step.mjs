import { spawn } from "node:child_process";
import { statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { whyItFailed } from "./why-it-failed.mjs";

/** Folder of the checkout, without a trailing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/** Failure whose message is sufficient for the person at the terminal. */
export class SetupError extends Error {}

/** A step that takes longer prints a line while it runs; a quicker step prints only its result. */
const slowAfterMs = 3_000;

/** Runs one step and prints one line with its seconds. A terminal shows the elapsed time meanwhile; `expected` is the usual duration. */
export async function step(doing, done, work, expected = "") {
  const startedAt = performance.now();
  const seconds = (digits) => ((performance.now() - startedAt) / 1000).toFixed(digits);
  const endLine = process.stdout.isTTY
    ? onTerminal(() => `setup: ${doing}${expected} ... ${seconds(0)} s`)
    : onPaper(`setup: ${doing}${expected} ...`);
  try {
    await work();
  } finally {
    endLine();
  }
  console.log(`setup: ${done} (${seconds(1)} s)`);
}

const clearLine = "\r\u001b[K";

function onTerminal(line) {
  const draw = () => process.stdout.write(clearLine + line());
  draw();
  const timer = setInterval(draw, 1_000);
  return () => {
    clearInterval(timer);
    process.stdout.write(clearLine);
  };
}

function onPaper(line) {
  const slow = setTimeout(() => console.log(line), slowAfterMs);
  return () => clearTimeout(slow);
}

function freeBytes() {
  const { bavail, bsize } = statfsSync(root);
  return bavail * bsize;
}

/** Maximum output of a tool that is kept, in characters. The end is kept, because it contains the reason. */
const keptOutput = 20_000;

/** Runs a tool silently in the checkout. Rejects with its output if it fails. */
export function run(command, args, { env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const keep = (text) => (output = (output + text).slice(-keptOutput));
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.once("error", (error) => reject(new SetupError(`${command} could not be started: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else {
        const line = [command, ...args].join(" ");
        const cause = whyItFailed({ command: line, output, freeBytes: freeBytes() });
        reject(new SetupError(cause ?? `${line} ended with ${signal ?? `exit code ${code}`}\n${output.trimEnd()}`));
      }
    });
  });
}
