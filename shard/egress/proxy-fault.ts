/** Where a connection through a proxy failed: a closed set, for metrics. */
export type ProxyFaultKind = "unreadable" | "not-allowed" | "unreachable" | "refused" | "silent" | "no-route";

/** The texts that operators and owners read. */
const texts: Readonly<Record<ProxyFaultKind, string>> = {
  unreadable: "the proxy's setting cannot be read",
  "not-allowed": "the proxy's address is not allowed",
  unreachable: "the proxy cannot be reached",
  refused: "the proxy refuses the login",
  silent: "the proxy does not answer",
  "no-route": "the proxy does not reach the platform",
};

/**
 * A proxy did not lead to the platform; it is never bypassed. It has no cause, because errors of the libraries contain the proxy's login.
 * Only their `code` is kept.
 */
export class ProxyFault extends Error {
  override readonly name = "ProxyFault";

  constructor(
    readonly kind: ProxyFaultKind,
    /** An error code such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(texts[kind]);
  }
}

/** Returns the proxy fault behind an error, which libraries wrap in their own errors. */
export function proxyFaultIn(error: unknown): ProxyFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = causeOf(cause), depth += 1) {
    if (cause instanceof ProxyFault) return cause;
  }
  return undefined;
}

/** Boom errors keep their origin in `data`. */
function causeOf(error: Error): unknown {
  return error.cause ?? ("data" in error ? error.data : undefined);
}
