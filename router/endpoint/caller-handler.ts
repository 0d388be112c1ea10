import type { HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import type { Arrival } from "./arrival-order.js";

/** What a route does, in two steps that know nothing of each other but the caller. */
export interface CallerHandler<Caller> {
  /** Whom the request is from. Asked once more where this router did not know the key yet, so it does nothing but tell who that is, and reads no body. */
  readonly authenticate: (request: HttpRequest) => Caller | Promise<Caller>;
  /** What is done for that caller, once. */
  readonly handle: (request: HttpRequest, signal: AbortSignal, caller: Caller, arrival?: Arrival) => Promise<HttpAnswer>;
  /** Gives a request whose order counts its place, before its caller is known. */
  readonly arrive?: (request: HttpRequest) => Arrival;
}

/** For a route that asks nobody who they are, or whose handler reads a credential of its own, such as a signed link. */
export function forAnybody(handle: CallerHandler<undefined>["handle"]): CallerHandler<undefined> {
  return { authenticate: () => undefined, handle };
}
