import type { RoutePort } from "../mount.js";
import type { AtHand, RoutePath } from "../../http/handler.js";
import { staticResponse } from "./static-response.js";
import type { StaticFile, StaticFiles } from "./static-file.js";

/** The files are in memory. Only a slow client takes longer, and the limit of slow readers handles it. */
const deadlineMs = 20_000;

/**
 * Registers the files of a public page: `index.html` at the path itself, the others below it. The files hold no secret. `name`: label in
 * metrics.
 */
export function mountStatic(app: RoutePort, path: RoutePath, name: string, files: StaticFiles): void {
  for (const [file, content] of files) mountFile(app, file === "index.html" ? path : `${path}/${file}`, name, content);
}

export function mountFile(app: RoutePort, path: RoutePath, name: string, file: StaticFile): void {
  const atHand: AtHand = (request) => staticResponse(request, file);
  // A request with a body, which is not read, goes to the handler.
  app.route("GET", path, async (request) => staticResponse(request, file), { name, deadlineMs, atHand });
}
