import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { root, run, SetupError, step } from "./step.mjs";

/** Returns the folder of the last released version of the changelog, installed and built in .cache. Each version is built once. */
export async function lastRelease() {
  const changelog = readFileSync(join(root, "deploy/CHANGELOG.md"), "utf8");
  const version = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog)?.[1];
  if (version === undefined) throw new SetupError("these tests did not run: the changelog names no released version.");
  const folder = join(root, ".cache", `release-${version}`);
  await withLock(async () => {
    if (existsSync(folder)) return;
    await step(`building version ${version}`, `version ${version} built`, () => make(version, folder));
  });
  return folder;
}

async function make(version, folder) {
  const commit = commitOf(version);
  const fresh = `${folder}.new`;
  const archive = `${folder}.tar`;
  try {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    await run("git", ["-C", root, "archive", "--output", archive, commit]);
    await run("tar", ["-xf", archive, "-C", fresh]);
    await run(process.execPath, [join(fresh, "deploy/setup.mjs")]);
    renameSync(fresh, folder);
  } finally {
    for (const left of [fresh, archive]) rmSync(left, { recursive: true, force: true });
  }
}

/** Returns the first commit whose package.json has that version. */
function commitOf(version) {
  const { error, stdout } = spawnSync(
    "git",
    ["-C", root, "log", "--reverse", "--format=%H", `-S"version": "${version}"`, "--", "package.json"],
    { encoding: "utf8" },
  );
  if (error) throw new SetupError("these tests did not run: they want this repository's history, and there is no git.");
  const [commit] = stdout.split("\n");
  if (!commit) throw new SetupError(`these tests did not run: no commit of this clone has version ${version}: git fetch --unshallow`);
  return commit;
}
