import type { RoutePort } from "../mount.js";
import type { AtHand, RoutePath } from "../../http/handler.js";
import { staticAnswer } from "./static-answer.js";
import type { StaticFile, StaticFiles } from "./static-file.js";

/** A file is in memory: only a slow client takes longer, and that is its reader's affair. */
const deadlineMs = 20_000;

/**
 * Puts the files of a page on the app, for everybody: `index.html` at the path itself, the others below it. They hold no secret; what they show, they ask the endpoints for.
 * `name`: their label in metrics.
 */
export function mountStatic(app: RoutePort, path: RoutePath, name: string, files: StaticFiles): void {
  for (const [file, content] of files) mountFile(app, file === "index.html" ? path : `${path}/${file}`, name, content);
}

export function mountFile(app: RoutePort, path: RoutePath, name: string, file: StaticFile): void {
  const atHand: AtHand = (request) => staticAnswer(request, file);
  // A request with a body, which nobody reads, is the handler's.
  app.route("GET", path, async (request) => staticAnswer(request, file), { name, deadlineMs, atHand });
}
