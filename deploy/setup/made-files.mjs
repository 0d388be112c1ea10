import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** File list beside the stamp: the files that the build wrote. */
const listName = ".setup-files";

/** Records the files in these folders of `home` with their sizes. */
export function keepFiles(home, folders = ["."]) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(home.length + 1)),
  );
  writeFileSync(join(home, listName), JSON.stringify(files.map((path) => [path, statSync(join(home, path)).size])));
}

/**
 * Returns whether all recorded files exist with the same size. A file may be missing or truncated after a manual removal or on a full
 * disk.
 */
export function holdsFiles(home) {
  try {
    const files = JSON.parse(readFileSync(join(home, listName), "utf8"));
    return files.every(([path, size]) => statSync(join(home, path), { throwIfNoEntry: false })?.size === size);
  } catch {
    return false; // The list is missing or incomplete.
  }
}
