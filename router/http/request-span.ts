import type { Span, Tracing } from "../../shared/process/trace/tracing.js";
import type { RoutePath } from "./handler.js";
import { singleHeader, type RequestHead } from "./request.js";

/** Under the caller's `traceparent`; without one it begins a trace, whose id is the request's where that can be. Says the route as it was declared, never what stands in it. */
export function startRequestSpan(tracing: Tracing, head: RequestHead, path: RoutePath | undefined): Span {
  // Of what has no route, the method too is the caller's own word.
  const [method, route] = path === undefined ? ["_OTHER", "*"] : [head.method, path];
  return tracing.start({
    name: `${method} ${route}`,
    kind: "server",
    attributes: { "http.request.method": method, "http.route": route },
    under: { traceparent: singleHeader(head, "traceparent"), traceId: head.requestId },
  });
}

/** `status` 0: the client left first. */
export function endRequestSpan(span: Span, status: number): void {
  if (status !== 0) span.set({ "http.response.status_code": status });
  span.end(status >= 500);
}
