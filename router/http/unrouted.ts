import type { Cors } from "./cors.js";
import type { RequestHead } from "./request.js";
import { jsonError, type WholeAnswer } from "./response.js";
import type { ServedMethod } from "./route-table.js";

/** What a request gets that no route takes: 404 where the path is none; else 204 to `OPTIONS` and 405 to other methods, with those that the path has. */
export function unrouted({ method, path, headers }: RequestHead, methods: readonly ServedMethod[], cors: Cors | undefined): WholeAnswer {
  const message = `Cannot ${method} ${path}`;
  if (methods.length === 0) return jsonError(404, message);
  const allow = { Allow: [...methods, "OPTIONS"].join(", ") };
  if (method !== "OPTIONS") return jsonError(405, message, allow);
  return { kind: "empty", status: 204, headers: { ...allow, ...cors?.preflight(headers, methods) } };
}
