import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");

/** The set-up checks the version first, so a Node that only claims another version is enough. */
it.each(["18.20.4", "20.18.3", "23.1.0", "26.0.0"])("the set-up refuses Node %s in one sentence", (version) => {
  const other = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "${version}" })`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", other, "deploy/setup.mjs"], { cwd: root, encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    `setup: Node 20 (20.19 or newer), 22, 24 or 25 is needed, this is ${version}. With nvm: nvm install 24; else see https://nodejs.org/en/download.\n`,
  ]);
});
