import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { npm } from "../setup/packages.mjs";
import { root, step } from "../setup/step.mjs";

// `npm run test:successor -- <arguments of vitest>` runs the Telegram adapter's tests with the package "telegram" (GramJS, archived) exchanged for its
// successor. The script makes the exchange in a temporary copy of the checkout, then installs, compiles and tests the copy as `npm test` does.
// The sandbox is a package of its own and keeps GramJS, so the successor talks to a server that shares no code with it.

const successor = "npm:teleproto@1.229.0";
/** The successor keeps the number of its schema's layer in another module. */
const layer = { file: "shard/telegram/network/layer.ts", from: "telegram/tl/AllTLObjects.js", to: "telegram/tl/runtime/registry.js" };
const suites = ["test/platform/telegram", "test/unit/shard/telegram"];
/** The benchmarks compare the gateway with a bare GramJS client, so the copy has none. */
const left = new Set(["node_modules", "dist", ".git", ".cache", ".data", "coverage", "bench"]);

const folder = mkdtempSync(join(tmpdir(), "trunkline-successor-"));
// Ctrl-C reaches the running step from the terminal; here it is only outlived, so that the copy is removed.
process.on("SIGINT", () => {});
let current;
process.on("SIGTERM", () => current?.kill("SIGTERM"));
try {
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  change("package.json", (text) => {
    const content = JSON.parse(text);
    content.dependencies.telegram = successor;
    return JSON.stringify(content, null, 2);
  });
  change(layer.file, (text) => {
    if (!text.includes(layer.from)) throw new Error(`${layer.file} does not import ${layer.from}`);
    return text.replace(layer.from, layer.to);
  });
  const [command, args] = npm("install", "--no-audit", "--no-fund");
  await step(`installing ${successor}`, `${successor} installed`, async () => {
    const code = await finished(command, args);
    if (code !== 0) throw new Error(`npm install ended with ${code}`);
  });
  process.exitCode = await finished(process.execPath, [
    join(folder, "deploy/tasks/test.mjs"),
    ...(process.argv.length > 2 ? process.argv.slice(2) : suites),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Rewrites a file of the copy. */
function change(file, edit) {
  const path = join(folder, file);
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

/** Exit code of a program that runs in the copy. */
function finished(command, args) {
  return new Promise((resolve, reject) => {
    current = spawn(command, args, { cwd: folder, stdio: "inherit" });
    current.once("error", reject);
    current.once("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  });
}
