import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const script = 'import { testPrograms } from "./deploy/setup/test-programs.mjs"; console.log(testPrograms(process.argv.slice(1)).join());';

const always = `promtool,kubectl${process.platform === "linux" ? ",systemd-analyze" : ""}`;

it.each([
  [[], `${always},haproxy,chromium`],
  [["--project", "unit", "--project", "contract"], always],
  [["--project", "system"], `${always},haproxy,chromium`],
  [["test/unit/shared"], always],
  [["test/console"], `${always},chromium`],
  [["test/console/console.test.ts", "-t", "phone"], `${always},chromium`],
  [["test/cluster"], `${always},haproxy`],
  [["test/cluster/haproxy.test.ts"], `${always},haproxy`],
  [["test/cluster/lease.test.ts"], always],
  [["test/unit", "test/"], `${always},haproxy,chromium`],
])("npm test %j needs %s", (args, programs) => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script, "--", ...args], { cwd: root, encoding: "utf8" });
  expect(stdout.trim()).toBe(programs);
});
