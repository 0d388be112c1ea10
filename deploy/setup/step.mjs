import { spawn } from "node:child_process";
import { statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { whyItFailed } from "./why-it-failed.mjs";

/** Folder of the checkout, without a slash at its end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/** A failure whose message is all that the person at the terminal needs. */
export class SetupError extends Error {}

/** A step that takes longer than this says so while it works; a quicker one is reported when it is done. */
const slowAfterMs = 3_000;

/** Does one step and prints one line with its seconds. A terminal shows the elapsed time meanwhile; `expected` says how long the step usually takes. */
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

/** Most output of a tool that is kept, in characters: the end of it, where the reason stands. */
const keptOutput = 20_000;

/** Runs a tool silently in the checkout; if it fails, the error is what it printed. */
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
        const known = whyItFailed({ command: line, output, freeBytes: freeBytes() });
        reject(new SetupError(known ?? `${line} ended with ${signal ?? `exit code ${code}`}\n${output.trimEnd()}`));
      }
    });
  });
}
