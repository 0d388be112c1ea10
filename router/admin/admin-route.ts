import { serverBusy } from "../../shared/contract/errors.js";
import type { HttpHandler, RoutePath } from "../http/handler.js";
import type { HttpMethod } from "../http/request.js";

/** One call of the operators' API. */
export interface AdminRoute {
  readonly method: HttpMethod;
  readonly path: RoutePath;
  /** Its label in metrics and logs, behind `admin`. */
  readonly name: string;
  /** What its own waits add up to, ms. */
  readonly workMs: number;
  readonly handler: HttpHandler;
}

/** A handler that runs so many times at once; further calls are 503. Operators are few, and a loop of theirs is not to take what callers need. */
export function atMost(most: number, handler: HttpHandler): HttpHandler {
  let running = 0;
  return async (request, signal) => {
    if (running >= most) throw serverBusy();
    running += 1;
    try {
      return await handler(request, signal);
    } finally {
      running -= 1;
    }
  };
}
