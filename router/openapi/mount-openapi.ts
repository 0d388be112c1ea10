import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { RoutePort } from "../endpoint/mount.js";
import { mountFile, mountStatic } from "../endpoint/static/mount-static.js";
import { readStaticFiles, staticFile } from "../endpoint/static/static-file.js";
import { openApiDocument, type Prefixes } from "./document.js";

/**
 * GET /openapi.json and /docs, for everybody, out of memory: what the API is, as this router serves it, and a page that shows it. They hold nothing of this deployment but the
 * paths.
 */
export function mountOpenApi(app: RoutePort, prefixes: Prefixes): void {
  const bytes = Buffer.from(JSON.stringify(openApiDocument(prefixes)));
  mountFile(app, "/openapi.json", "openapi", staticFile("openapi.json", bytes, gzipSync(bytes)));
  mountStatic(app, "/docs", "docs", readStaticFiles(fileURLToPath(new URL("./files", import.meta.url))));
}
