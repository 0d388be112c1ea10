import { singleHeader, type HeaderReader } from "./request.js";
import { PreparedHeaders, type AnswerHeaders } from "./response.js";

/**
 * Which pages of other origins may read answers (`CORS_ORIGINS`). Never with the browser's own credentials: callers are known by headers, which a page has to be given. Every
 * answer has these lines, also errors, made once for each origin.
 */
export class Cors {
  private constructor(
    /** To everybody; `undefined` where origins are listed. */
    private readonly any: PreparedHeaders | undefined,
    private readonly byOrigin: ReadonlyMap<string, PreparedHeaders>,
  ) {}

  /** `undefined` for an empty text: no answer says anything. Throws a sentence. */
  static parse(text: string): Cors | undefined {
    if (text.trim() === "") return undefined;
    if (text.trim() === "*") return new Cors(new PreparedHeaders({ "Access-Control-Allow-Origin": "*", ...exposed }), new Map());
    const origins = text.split(",").map((entry) => entry.trim());
    if (origins.length > originsMax || !origins.every(isOrigin))
      throw new Error(`must be * or a list of at most ${originsMax} origins such as https://app.example.com`);
    return new Cors(undefined, new Map(origins.map((origin) => [origin, linesOfOrigin(origin)])));
  }

  /** Of each answer to such a request. */
  linesFor(headers: HeaderReader): PreparedHeaders {
    return this.any ?? this.byOrigin.get(singleHeader({ headers }, "origin") ?? "") ?? strangersLines;
  }

  /** Whether the page that asks may read the answer. */
  admits(headers: HeaderReader): boolean {
    return this.linesFor(headers) !== strangersLines;
  }

  /** What the answer to a browser's question before its request says beside that; nothing to others. */
  preflight(headers: HeaderReader, methods: readonly string[]): AnswerHeaders {
    if (!headers.has("origin") || !headers.has("access-control-request-method") || !this.admits(headers)) return {};
    return preflightLines(methods, requestHeaders);
  }
}

const originsMax = 100;

/** As browsers write it: lower case, no path, no port that is the scheme's own. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** What a page may send. */
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

/** What a page may read, beside what it always may. */
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

/** For caches: who asks decides what stands in the answer. */
const differs = { Vary: "Origin" };

/** Of an answer that pages of one origin may read. */
export const linesOfOrigin = (origin: string): PreparedHeaders =>
  new PreparedHeaders({ "Access-Control-Allow-Origin": origin, ...exposed, ...differs });
/** Of an answer that a page of another one may not. */
export const strangersLines = new PreparedHeaders(differs);

/** What pages may send. */
export function preflightLines(methods: readonly string[], sent: readonly string[]): AnswerHeaders {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": sent.join(", "),
    "Access-Control-Max-Age": "600",
  };
}
