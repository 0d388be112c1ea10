import { linesOfOrigin, preflightLines, foreignOriginLines, type Cors } from "./cors.js";
import type { RoutePath } from "./handler.js";
import { singleHeader, type RequestHead } from "./request.js";
import type { ResponseHeaders, PreparedHeaders } from "./response.js";
import { servedPaths } from "./route-table.js";

/**
 * A path that pages of one origin may call with these headers alone, whatever `CORS_ORIGINS` says. Its callers authenticate in these
 * headers.
 */
export interface OpenPath {
  readonly path: RoutePath;
  readonly origin: string;
  readonly requestHeaders: readonly string[];
}

/**
 * Decides which pages of other origins may read which responses: configured origins all of them, the origin of the open path only those of
 * that path.
 */
export class CorsRules {
  private readonly open: OpenLines | undefined;

  constructor(
    private readonly set: Cors | undefined,
    open: OpenPath | undefined,
  ) {
    this.open = open && { ...open, paths: servedPaths({ path: open.path, exact: false }), lines: linesOfOrigin(open.origin) };
  }

  /** Returns the header lines for every response to such a request. */
  linesFor({ path, headers }: Pick<RequestHead, "path" | "headers">): PreparedHeaders | undefined {
    const open = this.openAt({ path, headers });
    if (open === undefined) return this.set?.linesFor(headers);
    return singleHeader({ headers }, "origin") === open.origin ? open.lines : foreignOriginLines;
  }

  /** Returns the extra headers of a preflight response; none for other requests. */
  preflight({ path, headers }: Pick<RequestHead, "path" | "headers">, methods: readonly string[]): ResponseHeaders {
    const open = this.openAt({ path, headers });
    if (open === undefined) return this.set?.preflight(headers, methods) ?? {};
    if (singleHeader({ headers }, "origin") !== open.origin || !headers.has("access-control-request-method")) return {};
    return preflightLines(methods, open.requestHeaders);
  }

  /** Returns the open path if the request is for it. An origin that may call every path needs no exception. */
  private openAt({ path, headers }: Pick<RequestHead, "path" | "headers">): OpenLines | undefined {
    return this.open?.paths.includes(path) === true && this.set?.admits(headers) !== true ? this.open : undefined;
  }
}

interface OpenLines extends OpenPath {
  readonly paths: readonly string[];
  readonly lines: PreparedHeaders;
}
