import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setupOrExit } from "../setup.mjs";
import { npm } from "../setup/packages.mjs";
import { runVitest } from "../setup/run-vitest.mjs";
import { root } from "../setup/step.mjs";

// `npm run test:generators -- <arguments of vitest>`: generates clients from the API document. The generators take 140 MB, so they are
// installed in .cache with a lock file of their own.
await setupOrExit();
const source = join(root, "test/generators");
const folder = join(root, ".cache/generators");
const lock = join("node_modules", ".package-lock.json.installed");
if (!isInstalled()) {
  console.log("setup: installing client generators ...");
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(source, file), join(folder, file));
  const [command, args] = npm("ci", "--no-workspaces", "--ignore-scripts", "--no-audit", "--no-fund");
  const { status } = spawnSync(command, args, { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  cpSync(join(source, "package-lock.json"), join(folder, lock));
}
process.env.GENERATORS = folder;
const given = process.argv.slice(2);
runVitest(given.some((argument) => !argument.startsWith("-")) ? given : ["test/generators", ...given]);

/** True if the last installation finished and had the same lock file. */
function isInstalled() {
  const stamp = join(folder, lock);
  return existsSync(stamp) && readFileSync(stamp).equals(readFileSync(join(source, "package-lock.json")));
}
