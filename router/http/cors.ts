import { singleHeader, type HeaderReader } from "./request.js";
import { PreparedHeaders, type ResponseHeaders } from "./response.js";

/**
 * Decides which pages of other origins may read responses (`CORS_ORIGINS`). Never allows browser credentials, because callers authenticate
 * by headers. Error responses get the lines too.
 */
export class Cors {
  private constructor(
    /** Lines for every origin (`*`); `undefined` if origins are listed. */
    private readonly any: PreparedHeaders | undefined,
    private readonly byOrigin: ReadonlyMap<string, PreparedHeaders>,
  ) {}

  /**
   * Parses the setting; `undefined` if it is empty, so that no response has CORS headers. Throws an error with a sentence for the
   * operator.
   */
  static parse(text: string): Cors | undefined {
    if (text.trim() === "") return undefined;
    if (text.trim() === "*") return new Cors(new PreparedHeaders({ "Access-Control-Allow-Origin": "*", ...exposed }), new Map());
    const origins = text.split(",").map((entry) => entry.trim());
    if (origins.length > originsMax || !origins.every(isOrigin))
      throw new Error(`must be * or a list of at most ${originsMax} origins such as https://app.example.com`);
    return new Cors(undefined, new Map(origins.map((origin) => [origin, linesOfOrigin(origin)])));
  }

  /** Returns the header lines for every response to such a request. */
  linesFor(headers: HeaderReader): PreparedHeaders {
    return this.any ?? this.byOrigin.get(singleHeader({ headers }, "origin") ?? "") ?? foreignOriginLines;
  }

  /** Returns whether the calling page may read the response. */
  admits(headers: HeaderReader): boolean {
    return this.linesFor(headers) !== foreignOriginLines;
  }

  /** Returns the extra headers of a preflight response; none for other requests. */
  preflight(headers: HeaderReader, methods: readonly string[]): ResponseHeaders {
    if (!headers.has("origin") || !headers.has("access-control-request-method") || !this.admits(headers)) return {};
    return preflightLines(methods, requestHeaders);
  }
}

const originsMax = 100;

/** Returns whether the text is an origin as browsers write it: lower case, no path, no default port. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Request headers that a page may send. */
export const requestHeaders = [
  "content-type",
  "id",
  "session-id",
  "passkey-token",
  "x-api-key",
  "idempotency-key",
  "x-request-id",
  "traceparent",
  "range",
  "if-range",
  "if-none-match",
  "last-event-id",
];

/** Response headers that a page may read, besides those that every page may read. */
export const exposedHeaders = [
  "x-request-id",
  "x-error-code",
  "x-platform-error",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "idempotency-replayed",
  "allow",
  "accept-ranges",
  "content-disposition",
  "content-encoding",
  "content-length",
  "content-range",
  "etag",
];

const exposed = { "Access-Control-Expose-Headers": exposedHeaders.join(", ") };

/** The response depends on the origin, so caches must keep one per origin. */
const differs = { Vary: "Origin" };

/** Returns the lines of a response that pages of one origin may read. */
export const linesOfOrigin = (origin: string): PreparedHeaders =>
  new PreparedHeaders({ "Access-Control-Allow-Origin": origin, ...exposed, ...differs });
/** Lines of a response that pages of other origins may not read. */
export const foreignOriginLines = new PreparedHeaders(differs);

/** Returns the preflight headers with the allowed methods and headers. */
export function preflightLines(methods: readonly string[], sent: readonly string[]): ResponseHeaders {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": sent.join(", "),
    "Access-Control-Max-Age": "600",
  };
}
