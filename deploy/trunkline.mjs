#!/usr/bin/env node
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Entry of `npx trunkline <command>`, and of `node deploy/trunkline.mjs <command>` in a router's container (deploy/cli/README.md). An
// unbuilt checkout supports only `start`, which builds it.
const main = new URL("../dist/deploy/cli/main.js", import.meta.url);
const start = new URL("start.mjs", import.meta.url);
const [command, ...flags] = process.argv.slice(2);
if (command === "start" && flags.every((flag) => flag === "--join") && existsSync(fileURLToPath(start))) {
  process.argv.splice(2, 1);
  await import(start.href);
} else if (existsSync(fileURLToPath(main))) {
  process.setSourceMapsEnabled(true);
  await import(main.href);
} else {
  console.error("trunkline: this checkout is not built yet: npm run build");
  process.exitCode = 1;
}
