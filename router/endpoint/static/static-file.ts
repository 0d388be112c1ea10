import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { ResponseHeaders } from "../../http/response.js";

/** A file of a web page, held in memory. */
export interface StaticFile {
  readonly bytes: Uint8Array;
  /** Compressed by the build; `undefined` if compression saves nothing. */
  readonly gzip: Uint8Array | undefined;
  readonly etag: string;
  readonly headers: ResponseHeaders;
}

/** Keyed by the path below the folder, such as `main-9F3C21AB.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Content types of page files. A file without an entry here is a mistake in the build. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** The build derives such a name from the content, so the content never changes. */
const hashedName = /-[A-Z0-9]{8}\.[a-z0-9]+$/;
const packed = ".gz";

/** Lets a page run only our own files and call only our own endpoints. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Reads all files below a folder; `name.gz` is the compressed form of `name`. Throws if the folder does not exist. */
export function readStaticFiles(folder: string, policy = contentSecurityPolicy): StaticFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(packed))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(names.map((path) => [path.slice(join(folder, "/").length), readStaticFile(path, policy)]));
}

function readStaticFile(path: string, policy: string): StaticFile {
  const bytes = readFileSync(path);
  const gzip = existsSync(path + packed) ? readFileSync(path + packed) : undefined;
  return staticFile(path, bytes, gzip, policy);
}

export function staticFile(name: string, bytes: Uint8Array, gzip?: Uint8Array, policy = contentSecurityPolicy): StaticFile {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`a file of a page has no known type: ${name}`);
  const etag = createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
  const headers = {
    "Content-Type": type,
    "Cache-Control": hashedName.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
  return { bytes, gzip, etag, headers };
}
