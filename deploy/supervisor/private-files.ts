import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Restricts new files of this process and its children to their user, and disables core dumps, which would contain keys and logins.
 * Returns the reason if the latter failed. Node has no call for it, so it runs `prlimit` of util-linux.
 */
export function keepToOurselves(): string | undefined {
  process.umask(0o077);
  const { status, stderr, error } = spawnSync("prlimit", ["--pid", String(process.pid), "--core=0:0"], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Restricts existing files from starts that did not do so. `folder` is one of ours, with few files. */
export function makePrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
