import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { RoutePort } from "../endpoint/mount.js";
import { mountFile, mountStatic } from "../endpoint/static/mount-static.js";
import { readStaticFiles, staticFile } from "../endpoint/static/static-file.js";
import { openApiDocument, type Prefixes } from "./document.js";

/**
 * Serves GET /openapi.json and /docs without a key, from memory: the API document of this router, and a page that shows it. Both reveal
 * only the paths of this deployment.
 */
export function mountOpenApi(app: RoutePort, prefixes: Prefixes): void {
  const bytes = Buffer.from(JSON.stringify(openApiDocument(prefixes)));
  mountFile(app, "/openapi.json", "openapi", staticFile("openapi.json", bytes, gzipSync(bytes)));
  mountStatic(app, "/docs", "docs", readStaticFiles(fileURLToPath(new URL("./files", import.meta.url))));
}
