import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import type { UnitCosts } from "../../deploy/cli/capacity/unit-costs.js";
import { replaceFile } from "../results.js";

/** Seen from the sources (tests) and from the build, which stands one folder deeper. */
const root = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../.." : "../../..", import.meta.url));
/** A source of the command line: its next build answers by these figures, also where there are no benchmarks. */
const file = join(root, "deploy/cli/capacity/measured-costs.ts");
const settings = join(root, ".config/prettier.json");

export async function writeCosts(costs: UnitCosts): Promise<void> {
  await replaceFile(file, await sourceOf(costs));
}

export async function sourceOf(costs: UnitCosts): Promise<string> {
  const text = `import type { UnitCosts } from "./unit-costs.js";\n\n/** Written by \`npm run capacity\`. */\nexport const measuredCosts: UnitCosts = ${JSON.stringify(costs)};\n`;
  return await format(text, { ...(await resolveConfig(settings, { config: settings })), parser: "typescript" });
}
