import type { RequestEnding } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { Arrival } from "./arrival-order.js";

/** A route in two steps, which share only the caller. */
export interface CallerHandler<Caller> {
  /** Returns the caller of a request. It may run twice if this router did not know the key yet, so it has no effect and reads no body. */
  readonly authenticate: (request: HttpRequest) => Caller | Promise<Caller>;
  /** Handles the request for that caller, once. */
  readonly handle: (request: HttpRequest, ending: RequestEnding, caller: Caller, arrival?: Arrival) => Promise<HttpResponse>;
  /** Gives a request its place in the order, before its caller is known. */
  readonly arrive?: (request: HttpRequest) => Arrival;
}

/** Wraps a handler that needs no credentials, or that reads its own, such as a signed link. */
export function forAnybody(handle: CallerHandler<undefined>["handle"]): CallerHandler<undefined> {
  return { authenticate: () => undefined, handle };
}
