import type { HttpMethod, HttpRequest, RequestHead } from "./request.js";
import type { HttpAnswer, WholeAnswer } from "./response.js";

/** `:name` segments become `params`. */
export type RoutePath = `/${string}`;

/** Answers a request. `signal` ends when the client went away, the deadline passed, or the app is stopped by force. */
export type HttpHandler = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

/**
 * Answers out of this process's memory, without any wait; `undefined` where that does not do, and the handler is asked. Only requests
 * without a body come here.
 */
export type AtHand = (request: RequestHead) => AnswerAtHand | undefined;
export type AnswerAtHand = Exclude<HttpAnswer, { kind: "stream" | "open-ended" }>;

/** What the head alone decides, such as a missing header. `undefined`: the request goes on. `identified`: as `HttpRequest` has it. */
export type Refusal = (request: RequestHead, address: () => string, identified: HttpRequest["identified"]) => WholeAnswer | undefined;

export interface RouteOptions {
  /** From a closed set: it becomes a metric label. */
  readonly name: string;
  /** From the request to the answer; a stream's body is bounded by its reader instead. */
  readonly deadlineMs: number;
  /** The path with a slash behind it is another one: a signed link is followed as it was made, or not at all. */
  readonly exact?: boolean;
  /** Its JSON is packed for callers that read that. Not where a secret is in it: beside what others can put there, its size would tell of it. */
  readonly compressible?: boolean;
  /** Asked first: such an answer waits for no body and takes no place. */
  readonly refusal?: Refusal;
  /** Asked before the handler. */
  readonly atHand?: AtHand;
}

/** Of a route as the documents write it. */
export function splitRoute(route: `${HttpMethod} ${RoutePath}`): [HttpMethod, RoutePath] {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
    if (route.startsWith(`${method} `)) return [method, `/${route.slice(method.length + 2)}`];
  }
  throw new Error(`route without a known method: ${route}`);
}
