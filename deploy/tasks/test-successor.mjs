import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { npm } from "../setup/packages.mjs";
import { root, step } from "../setup/step.mjs";

// `npm run test:successor -- <arguments of vitest>` tests the Telegram adapter with the successor of the archived package "telegram"
// (GramJS), in a temporary copy of the checkout. The sandbox keeps GramJS, so client and server share no code.

const successor = "npm:teleproto@1.229.0";
/** The successor stores the layer number of its schema in another module. */
const layer = { file: "shard/telegram/network/layer.ts", from: "telegram/tl/AllTLObjects.js", to: "telegram/tl/runtime/registry.js" };
const suites = ["test/platform/telegram", "test/unit/shard/telegram"];
/** Excluded from the copy; the benchmarks compare the gateway with a bare GramJS client. */
const left = new Set(["node_modules", "dist", ".git", ".cache", ".data", "coverage", "bench"]);

const folder = mkdtempSync(join(tmpdir(), "trunkline-successor-"));
// The terminal sends Ctrl-C to the running step too. This process ignores the signal, so that it can delete the copy.
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

/** Edits a file of the copy. */
function change(file, edit) {
  const path = join(folder, file);
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

/** Resolves with the exit code of a program that runs in the copy. */
function finished(command, args) {
  return new Promise((resolve, reject) => {
    current = spawn(command, args, { cwd: folder, stdio: "inherit" });
    current.once("error", reject);
    current.once("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  });
}
