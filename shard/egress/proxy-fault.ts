/** Where the way through a proxy ended: a closed set, for metrics. */
export type ProxyFaultKind = "unreadable" | "not-allowed" | "unreachable" | "refused" | "silent" | "no-route";

/** The words that operators and owners read. */
const words: Readonly<Record<ProxyFaultKind, string>> = {
  unreadable: "the proxy's setting cannot be read",
  "not-allowed": "the proxy's address is not allowed",
  unreachable: "the proxy cannot be reached",
  refused: "the proxy refuses the login",
  silent: "the proxy does not answer",
  "no-route": "the proxy does not reach the platform",
};

/**
 * A proxy did not lead to the platform. Nothing goes around it. Without a cause: errors of the libraries have the proxy's login in them; `code` is all that
 * is kept of them.
 */
export class ProxyFault extends Error {
  override readonly name = "ProxyFault";

  constructor(
    readonly kind: ProxyFaultKind,
    /** Such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(words[kind]);
  }
}

/** The fault that an error came of; libraries wrap errors in their own. */
export function proxyFaultIn(error: unknown): ProxyFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = causeOf(cause), depth += 1) {
    if (cause instanceof ProxyFault) return cause;
  }
  return undefined;
}

/** Boom objects keep what they were made of in `data`. */
function causeOf(error: Error): unknown {
  return error.cause ?? ("data" in error ? error.data : undefined);
}
