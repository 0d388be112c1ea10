import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Committed, because `npm start` reads settings before it has a compiler. */
const target = join(root, "deploy/setup/settings-readers.js");

const entry = `
export { ConfigError } from "./shared/config/env.js";
export { plannedPorts, readSupervisorSettings } from "./deploy/supervisor/settings.js";
export { planChildren } from "./deploy/supervisor/plan-children.js";
export { readRouterSettings } from "./router/config.js";
export { readShardSettings } from "./shard/config.js";
`;

/** Resolves with the settings readers of all processes as one module without types and without packages. */
export async function settingsReaders() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: entry, resolveDir: root, loader: "ts" },
    banner: { js: "// Made of the settings readers in router/, shard/, shared/ and deploy/supervisor/ by `npm run build`." },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0].text;
}

/** Writes the module if one of the readers changed. */
export async function writeSettingsReaders() {
  const text = await settingsReaders();
  if (readFileSync(target, "utf8") !== text) writeFileSync(target, text);
}
