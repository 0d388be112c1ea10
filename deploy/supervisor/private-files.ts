import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * From here on, for this process and all that it starts: what they write is for their own user alone, and none leaves an image of its memory, which holds keys and
 * logins, on the disk when it crashes. Returns why the latter could not be had, if it could not: Node has no call for it, so util-linux's `prlimit` is asked.
 */
export function keepToOurselves(): string | undefined {
  process.umask(0o077);
  const { status, stderr, error } = spawnSync("prlimit", ["--pid", String(process.pid), "--core=0:0"], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** For files of a start that did not do so yet. `folder` is one of ours, with a handful of files. */
export function makePrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
