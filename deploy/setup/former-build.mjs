import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { root, run, SetupError, step } from "./step.mjs";

/** What processes of this build must run beside: the last commit without a number of its records (shared/README.md, "Schema"). The one place that names it. */
export const formerCommit = "0efb5656642cd55818d31e7cabf39e8a86e43247";

/** The folder of that commit, installed and built, below .cache; made once for each commit. */
export async function formerBuild() {
  const folder = join(root, ".cache", `former-${formerCommit.slice(0, 12)}`);
  await withLock(async () => {
    if (existsSync(folder)) return;
    await step("building the former version", "former version built", () => make(folder));
  });
  return folder;
}

async function make(folder) {
  const git = (...args) => ["git", ["-C", root, ...args]];
  const has = spawnSync(...git("cat-file", "-e", `${formerCommit}^{commit}`));
  const cannot = (why) =>
    new SetupError(`these tests did not run: they want commit ${formerCommit.slice(0, 12)} of this repository, ${why}.`);
  if (has.error) throw cannot("and there is no git");
  if (has.status !== 0) throw cannot("which is not in this clone: git fetch --unshallow");
  const fresh = `${folder}.new`;
  const archive = `${folder}.tar`;
  try {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    await run(...git("archive", "--output", archive, formerCommit));
    await run("tar", ["-xf", archive, "-C", fresh]);
    await run(process.execPath, [join(fresh, "deploy/setup.mjs")]);
    renameSync(fresh, folder);
  } finally {
    for (const left of [fresh, archive]) rmSync(left, { recursive: true, force: true });
  }
}
