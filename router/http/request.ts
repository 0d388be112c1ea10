import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";
import type { Identity } from "./identity.js";
import { requestIdOf } from "./request-id.js";

/** Method of a route. A `GET` route also serves `HEAD`. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HeaderReader {
  get(name: string): readonly string[] | undefined;
  has(name: string): boolean;
}

/** Head of a request, as nearly every response needs it. Header names are lower-case, and a repeated header has several values. */
export interface RequestHead {
  /** Upper-case. */
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  readonly headers: HeaderReader;
  /** Name of the request in responses, logs and audit; printable ASCII. */
  readonly requestId: string;
}

/** A request as data. Everything is copied on entry, because the engine's request does not survive the first `await`. */
export interface HttpRequest extends RequestHead {
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  /** As sent, without the `?`. */
  readonly query: string;
  /** As sent: percent-encoded, by the names in the route. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * Returns the peer's IP address, never that of a forwarding header; empty once the client has left or has its response. The engine
   * allocates a buffer for it.
   */
  readonly address: () => string;
  /**
   * Call it once the caller is authenticated. From then on the request no longer counts against its address (`Newcomers`), and it may be
   * audited (`AuditPort`).
   */
  readonly identified: (identity?: Identity) => void;
  /** Adds an audit entry. A request that acts on several sessions adds one for each. */
  readonly auditAlso: (action: string, identity: Identity, status: number) => void;
  /** Resolves with the whole body. Rejects with 413 past the limit, and when the client has left. */
  readonly body: () => Promise<Buffer>;
}

/** Returns the value of a header that occurs exactly once, otherwise `undefined`. */
export function singleHeader({ headers }: Pick<RequestHead, "headers">, name: string): string | undefined {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

/** Copies the part of the request that a response from memory needs. `method`: the method as served, if a route takes the request. */
export function copyHead(request: EngineRequest, method: string | undefined): RequestHead {
  const headers = new HeaderFields(request);
  return {
    method: method ?? request.getMethod().toUpperCase(),
    path: request.getUrl(),
    headers,
    requestId: requestIdOf(singleHeader({ headers }, "x-request-id"), singleHeader({ headers }, "traceparent")),
  };
}

/** Copies the rest as well, at the cost of as many calls into the engine. Call it in the same turn as `copyHead`. */
export function copyWhole(
  { method, path, headers, requestId }: RequestHead,
  request: EngineRequest,
  paramNames: readonly string[],
  peer: Pick<HttpRequest, "arrivedAt" | "address" | "identified" | "auditAlso" | "body">,
): HttpRequest {
  return {
    method,
    path,
    headers,
    requestId,
    query: request.getQuery() ?? "",
    params: Object.fromEntries(paramNames.map((name, index) => [name, request.getParameter(index) ?? ""])),
    ...peer,
  };
}

/** Returns the peer's address. Call it before the response is over. */
export function peerAddress(response: EngineResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString("latin1");
}

/** Names and values alternate, in the request's order. Requests have few headers, so a scan is cheaper than a map. */
class HeaderFields {
  private readonly fields: string[] = [];

  constructor(request: EngineRequest) {
    collected = this.fields;
    request.forEach(collect);
  }

  get(name: string): readonly string[] | undefined {
    let values: string[] | undefined;
    for (let at = 0; at < this.fields.length; at += 2) {
      if (this.fields[at] === name) (values ??= []).push(this.fields[at + 1] ?? "");
    }
    return values;
  }

  has(name: string): boolean {
    for (let at = 0; at < this.fields.length; at += 2) if (this.fields[at] === name) return true;
    return false;
  }
}

/** One function for all requests, because the engine calls it before `forEach` returns. */
let collected: string[] = [];
const collect = (name: string, value: string): void => {
  collected.push(name, value);
};
