import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** Returns the SHA-256 (hex) of the names and contents of the files, with paths relative to the checkout, and of the given facts. */
export function fingerprint(files, ...facts) {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (const file of files) {
    const bytes = existsSync(join(root, file)) ? readFileSync(join(root, file)) : Buffer.alloc(0);
    hash.update(`\n${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/** Returns all files in the existing folders, as sorted paths relative to the checkout. */
export function filesBelow(folders) {
  const found = [];
  for (const folder of folders) {
    if (!existsSync(join(root, folder))) continue;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) found.push(...filesBelow([path]));
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.sort();
}

/** Returns the content of a stamp file, or undefined if it is missing. */
export function readStamp(file) {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8").trim() : undefined;
}
