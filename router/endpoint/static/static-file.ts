import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { AnswerHeaders } from "../../http/response.js";

/** A file of a web page, wholly in memory. */
export interface StaticFile {
  readonly bytes: Uint8Array;
  /** As the build packed it; `undefined` where that saves nothing. */
  readonly gzip: Uint8Array | undefined;
  readonly etag: string;
  readonly headers: AnswerHeaders;
}

/** By the path below the folder, such as `main-9F3C21AB.js`. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Types of the files that pages are made of. One that is not here is a mistake of the build. */
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

/** A name that the build made of its content never means anything else. */
const hashedName = /-[A-Z0-9]{8}\.[a-z0-9]+$/;
const packed = ".gz";

/** What a page may do: run our own files and call our own endpoints, and nothing else. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** All files below a folder; `name.gz` is the packed form of `name`. Throws for a folder that is not there. */
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
