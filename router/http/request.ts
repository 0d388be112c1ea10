import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";

/**
 * A request as data: nothing of the engine's request survives the first `await`, so everything is copied at entry.
 * Names of headers are lower-case; a repeated header has several values.
 */
export interface HttpRequest {
  /** Upper-case. */
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** As sent: percent-encoded, by the names in the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** IP address of the peer, never of a forwarding header. */
  readonly address: string;
  /** The whole body. Rejects with 413 past the limit, and when the client went away. */
  readonly body: () => Promise<Buffer>;
}

/** The value of a header that stands exactly once; otherwise `undefined`. */
export function singleHeader({ headers }: Pick<HttpRequest, "headers">, name: string): string | undefined {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

/** Copies the engine's request. To be called before anything else looks at it. */
export function snapshot(
  request: EngineRequest,
  response: EngineResponse,
  paramNames: readonly string[],
  body: () => Promise<Buffer>,
): HttpRequest {
  const headers = new Map<string, string[]>();
  request.forEach((name, value) => {
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else values.push(value);
  });
  return {
    method: request.getMethod().toUpperCase(),
    path: request.getUrl(),
    query: request.getQuery() ?? "",
    params: Object.fromEntries(paramNames.map((name, index) => [name, request.getParameter(index) ?? ""])),
    headers,
    address: Buffer.from(response.getRemoteAddressAsText()).toString("latin1"),
    body,
  };
}
