import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, gzipSync } from "node:zlib";

/** For smaller files, compression saves less than its header costs. */
const packedFromBytes = 256;

/**
 * Writes the files of a page for routers (`router/endpoint/static/static-file.ts`), each with a compressed copy if that is smaller.
 * `files` is a list of `{path, bytes}`.
 */
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
