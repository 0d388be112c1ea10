import type { ApiError } from "../../shared/contract/api-error.js";
import { cannot, cannotBy } from "./errors.js";
import type { CorsRules } from "./cors-rules.js";
import type { RequestHead } from "./request.js";
import { jsonError, type ResponseHeaders, type WholeResponse } from "./response.js";
import type { ServedMethod } from "./route-table.js";

/**
 * Returns the response to a request without a route: 404 for an unknown path, else 204 to `OPTIONS` and 405 to other methods, with the
 * path's methods.
 */
export function unrouted(head: RequestHead, methods: readonly ServedMethod[], cors: Pick<CorsRules, "preflight">): WholeResponse {
  const { method, path } = head;
  if (methods.length === 0) return refusal(cannot(method, path));
  const allow = { Allow: [...methods, "OPTIONS"].join(", ") };
  if (method !== "OPTIONS") return refusal(cannotBy(method, path), allow);
  return { kind: "empty", status: 204, headers: { ...allow, ...cors.preflight(head, methods) } };
}

function refusal({ status, message }: ApiError, headers: ResponseHeaders = {}): WholeResponse {
  return jsonError(status, message, headers);
}
