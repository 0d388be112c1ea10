import type { AbortScope } from "../../shared/flow/abort-scope.js";
import type { HttpMethod, HttpRequest, RequestHead } from "./request.js";
import type { HttpResponse, WholeResponse } from "./response.js";

/** `:name` segments become `params`. */
export type RoutePath = `/${string}`;

/** Aborts when the client leaves, the deadline passes or the app stops by force. `signalOf` makes a signal for Node's own functions. */
export type RequestEnding = AbortScope | AbortSignal;

/** Handles a request. */
export type HttpHandler = (request: HttpRequest, ending: RequestEnding) => Promise<HttpResponse>;

/** Responds from memory without waiting, to requests without a body. Returns `undefined` if the handler must respond. */
export type AtHand = (request: RequestHead) => ResponseAtHand | undefined;
export type ResponseAtHand = Exclude<HttpResponse, { kind: "stream" | "open-ended" }>;

/**
 * Rejects a request by its head alone, for example for a missing header. Returns `undefined` to let it continue. `identified`: see
 * `HttpRequest`.
 */
export type Refusal = (request: RequestHead, address: () => string, identified: HttpRequest["identified"]) => WholeResponse | undefined;

export interface RouteOptions {
  /** Metric label, from a closed set. */
  readonly name: string;
  /** Longest time from request to response. The body of a stream is bounded by its reader instead. */
  readonly deadlineMs: number;
  /** Serves the path without its variant with a trailing slash. A signed link must be used as it was made. */
  readonly exact?: boolean;
  /** Compresses JSON for callers that accept it. Not for responses with a secret: their compressed size could reveal it. */
  readonly compressible?: boolean;
  /** Runs first. Its response waits for no body and takes no place in the limits. */
  readonly refusal?: Refusal;
  /** Runs before the handler. */
  readonly atHand?: AtHand;
}

/** Splits a route as the documents write it. Throws if the method is unknown. */
export function splitRoute(route: `${HttpMethod} ${RoutePath}`): [HttpMethod, RoutePath] {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
    if (route.startsWith(`${method} `)) return [method, `/${route.slice(method.length + 2)}`];
  }
  throw new Error(`route without a known method: ${route}`);
}
