import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { npm } from "./setup/packages.mjs";
import { root, step } from "./setup/step.mjs";

// `npm run test:successor -- <arguments of vitest>`: the Telegram adapter's tests with the package "telegram" (GramJS, archived) exchanged for its
// successor. The exchange is one line of each package.json, in a copy below the system's folder for temporary files that goes at the end; the
// checkout is only read. The copy is installed, compiled (so the types must fit as well) and tested as a checkout is by `npm test`.

const successor = "npm:teleproto@1.229.0";
/** What knows the library: the adapter's tests, and those of the sandbox, which is built on the same TL classes. */
const suites = ["test/platform/telegram", "test/unit/shard/telegram", "test/sandbox/test/telegram"];
const left = new Set(["node_modules", "dist", ".git", ".cache", ".data", "coverage"]);

const folder = mkdtempSync(join(tmpdir(), "trunkline-successor-"));
// Ctrl-C reaches the running step from the terminal; here it is only outlived, so that the copy is removed.
process.on("SIGINT", () => {});
let current;
process.on("SIGTERM", () => current?.kill("SIGTERM"));
try {
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  for (const manifest of ["package.json", "test/sandbox/package.json"].map((file) => join(folder, file))) {
    const content = JSON.parse(readFileSync(manifest, "utf8"));
    content.dependencies.telegram = successor;
    writeFileSync(manifest, JSON.stringify(content, null, 2));
  }
  const [command, args] = npm("install", "--no-audit", "--no-fund");
  await step(`installing ${successor}`, `${successor} installed`, async () => {
    const code = await finished(command, args);
    if (code !== 0) throw new Error(`npm install ended with ${code}`);
  });
  process.exitCode = await finished(process.execPath, [
    join(folder, "deploy/test.mjs"),
    ...(process.argv.length > 2 ? process.argv.slice(2) : suites),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Exit code of a program that runs in the copy. */
function finished(command, args) {
  return new Promise((resolve, reject) => {
    current = spawn(command, args, { cwd: folder, stdio: "inherit" });
    current.once("error", reject);
    current.once("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  });
}
