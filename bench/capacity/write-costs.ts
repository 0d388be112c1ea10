import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import type { UnitCosts } from "../../deploy/cli/capacity/unit-costs.js";
import { replaceFile } from "../results.js";

/** Works from the sources (tests) and from the build, which is one folder deeper. */
const root = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../.." : "../../..", import.meta.url));
/** A source file of the command line, so that the next build includes these figures, also on machines without the benchmark. */
const file = join(root, "deploy/cli/capacity/measured-costs.ts");
const settings = join(root, ".config/prettier.json");

export async function writeCosts(costs: UnitCosts): Promise<void> {
  await replaceFile(file, await sourceOf(costs));
}

export async function sourceOf(costs: UnitCosts): Promise<string> {
  const text = `import type { UnitCosts } from "./unit-costs.js";\n\n/** Written by \`npm run capacity\`. */\nexport const measuredCosts: UnitCosts = ${JSON.stringify(costs)};\n`;
  return await format(text, { ...(await resolveConfig(settings, { config: settings })), parser: "typescript" });
}
