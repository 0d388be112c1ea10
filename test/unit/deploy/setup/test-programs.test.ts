import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const script = 'import { testPrograms } from "./deploy/setup/test-programs.mjs"; console.log(testPrograms(process.argv.slice(1)).join());';

it.each([
  [[], "promtool,chromium"],
  [["--project", "unit", "--project", "contract"], "promtool"],
  [["--project", "system"], "promtool,chromium"],
  [["test/unit/shared"], "promtool"],
  [["test/console"], "promtool,chromium"],
  [["test/console/journey.test.ts", "-t", "phone"], "promtool,chromium"],
  [["test/unit", "test/"], "promtool,chromium"],
])("npm test %j needs %s", (args, programs) => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script, "--", ...args], { cwd: root, encoding: "utf8" });
  expect(stdout.trim()).toBe(programs);
});
