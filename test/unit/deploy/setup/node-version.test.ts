import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");

/** Nothing of the set-up has begun by then: it asks first of all, of a Node that only says that it is another version. */
it.each(["18.20.4", "20.18.3", "23.1.0", "26.0.0"])("the set-up refuses Node %s in one sentence", (version) => {
  const other = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "${version}" })`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", other, "deploy/setup.mjs"], { cwd: root, encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    `setup: Node 20 (20.19 or newer), 22, 24 or 25 is needed, this is ${version}. With nvm: nvm install 24; else see https://nodejs.org/en/download.\n`,
  ]);
});
