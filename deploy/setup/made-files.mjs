import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Beside the stamp, which says of what a folder was made: what it held then. */
const listName = ".setup-files";

/** Keeps in `home` which files stand below these folders of it, with their sizes. */
export function keepFiles(home, folders = ["."]) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(home.length + 1)),
  );
  writeFileSync(join(home, listName), JSON.stringify(files.map((path) => [path, statSync(join(home, path)).size])));
}

/** All that was kept is still there, and as long: a file may have been removed by hand since, or cut off by a disk that was full. */
export function holdsFiles(home) {
  try {
    const files = JSON.parse(readFileSync(join(home, listName), "utf8"));
    return files.every(([path, size]) => statSync(join(home, path), { throwIfNoEntry: false })?.size === size);
  } catch {
    return false; // There is no list, or half of one.
  }
}
