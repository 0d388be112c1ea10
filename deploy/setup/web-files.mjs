import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/** Smaller files gain less than a header costs. */
const packedFromBytes = 1_024;

/** Writes the files of a page as routers read them (`router/endpoint/static/static-file.ts`): each beside its packed form, where that is smaller. `files`: `{path, bytes}`. */
export function writeWebFiles(folder, files) {
  for (const { path, bytes } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    if (bytes.length < packedFromBytes) continue;
    const packed = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
    if (packed.length < bytes.length) writeFileSync(`${file}.gz`, packed);
  }
}
