import type { Span, Tracing } from "../../shared/process/trace/tracing.js";
import type { RoutePath } from "./handler.js";
import { singleHeader, type RequestHead } from "./request.js";

/**
 * Starts a span under the caller's `traceparent`, or a new trace with the request's id if possible. Names the declared route, never the
 * values in it.
 */
export function startRequestSpan(tracing: Tracing, head: RequestHead, path: RoutePath | undefined): Span {
  // Without a route, the method too is the caller's own text.
  const [method, route] = path === undefined ? ["_OTHER", "*"] : [head.method, path];
  return tracing.start({
    name: `${method} ${route}`,
    kind: "server",
    attributes: { "http.request.method": method, "http.route": route },
    under: { traceparent: singleHeader(head, "traceparent"), traceId: head.requestId },
  });
}

/** Ends the span. `status` 0: the client left first. */
export function endRequestSpan(span: Span, status: number): void {
  if (status !== 0) span.set({ "http.response.status_code": status });
  span.end(status >= 500);
}
