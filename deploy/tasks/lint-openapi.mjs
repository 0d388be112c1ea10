import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setupOrExit } from "../setup.mjs";
import { root } from "../setup/step.mjs";

// Lints the API document of the build with Redocly, without network access.
await setupOrExit();
const { openApiDocument } = await import("../../dist/router/openapi/document.js");
const folder = join(root, ".cache");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "openapi.json"), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", ".cache/openapi.json", "--config", ".config/redocly.yaml"],
  { cwd: root, stdio: "inherit", env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
);
process.exitCode = status ?? 1;
