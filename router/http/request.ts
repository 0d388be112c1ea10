import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";
import type { Identity } from "./identity.js";
import { requestIdOf } from "./request-id.js";

/** Of a route; one of `GET` is served to `HEAD` as well. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HeaderReader {
  get(name: string): readonly string[] | undefined;
  has(name: string): boolean;
  /** Whether all values are ASCII, as far as the engine shows them: it takes bytes over 0x7f at either end of a value for blanks. */
  readonly areAscii: boolean;
}

/** The head of a request, as far as nearly every answer needs it. Names of headers are lower-case; a repeated header has several values. */
export interface RequestHead {
  /** Upper-case. */
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  readonly headers: HeaderReader;
  /** Under which answers, logs and the audit name it; printable ASCII. */
  readonly requestId: string;
}

/** A request as data: nothing of the engine's request survives the first `await`, so everything is copied at entry. */
export interface HttpRequest extends RequestHead {
  /** Monotonic milliseconds. */
  readonly arrivedAt: number;
  /** As sent, without the `?`. */
  readonly query: string;
  /** As sent: percent-encoded, by the names in the route. */
  readonly params: Readonly<Record<string, string>>;
  /** IP address of the peer, never of a forwarding header; empty once it has left or has its answer. Few ask for it, and the engine makes a buffer for it. */
  readonly address: () => string;
  /**
   * To be called once the caller has shown who it is: from then on the request takes no share of its address (`Newcomers`), and it may be on record (`AuditPort`),
   * as `identity` says.
   */
  readonly identified: (identity?: Identity) => void;
  /** A request that acts on several sessions is on record once for each. */
  readonly auditAlso: (action: string, identity: Identity, status: number) => void;
  /** The whole body. Rejects with 413 past the limit, and when the client went away. */
  readonly body: () => Promise<Buffer>;
}

/** The value of a header that stands exactly once; otherwise `undefined`. */
export function singleHeader({ headers }: Pick<RequestHead, "headers">, name: string): string | undefined {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

/** Copies what an answer at hand is made of. `method`: as it is served, where a route takes it. */
export function copyHead(request: EngineRequest, method: string | undefined): RequestHead {
  const headers = new HeaderFields(request);
  return {
    method: method ?? request.getMethod().toUpperCase(),
    path: request.getUrl(),
    headers,
    requestId: requestIdOf(singleHeader({ headers }, "x-request-id"), singleHeader({ headers }, "traceparent")),
  };
}

/** Copies the rest as well, which costs as many calls into the engine again. Belongs in the same turn as `copyHead`. */
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

/** To be asked before the response is over. */
export function peerAddress(response: EngineResponse): string {
  return Buffer.from(response.getRemoteAddressAsText()).toString("latin1");
}

/** Names and values alternate, in the request's order. A request has few of them: a scan is cheaper than building a map. */
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

  get areAscii(): boolean {
    for (let at = 1; at < this.fields.length; at += 2) if (/[^\u0000-\u007f]/.test(this.fields[at] ?? "")) return false;
    return true;
  }
}

/** One function for all requests: the engine calls it before `forEach` returns. */
let collected: string[] = [];
const collect = (name: string, value: string): void => {
  collected.push(name, value);
};
