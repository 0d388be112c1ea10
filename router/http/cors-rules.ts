import { linesOfOrigin, preflightLines, strangersLines, type Cors } from "./cors.js";
import type { RoutePath } from "./handler.js";
import { singleHeader, type RequestHead } from "./request.js";
import type { AnswerHeaders, PreparedHeaders } from "./response.js";
import { servedPaths } from "./route-table.js";

/** A path that pages of one origin may ask, whatever `CORS_ORIGINS` says, with these headers alone: they have no other way to say who they are. */
export interface OpenPath {
  readonly path: RoutePath;
  readonly origin: string;
  readonly requestHeaders: readonly string[];
}

/** Which pages of other origins may read which answers: those that were set may read all, those of an open path its answers alone. */
export class CorsRules {
  private readonly open: OpenLines | undefined;

  constructor(
    private readonly set: Cors | undefined,
    open: OpenPath | undefined,
  ) {
    this.open = open && { ...open, paths: servedPaths({ path: open.path, exact: false }), lines: linesOfOrigin(open.origin) };
  }

  /** Of each answer to such a request. */
  linesFor({ path, headers }: Pick<RequestHead, "path" | "headers">): PreparedHeaders | undefined {
    const open = this.openAt({ path, headers });
    if (open === undefined) return this.set?.linesFor(headers);
    return singleHeader({ headers }, "origin") === open.origin ? open.lines : strangersLines;
  }

  /** What the answer to a browser's question before its request says beside that; nothing to others. */
  preflight({ path, headers }: Pick<RequestHead, "path" | "headers">, methods: readonly string[]): AnswerHeaders {
    const open = this.openAt({ path, headers });
    if (open === undefined) return this.set?.preflight(headers, methods) ?? {};
    if (singleHeader({ headers }, "origin") !== open.origin || !headers.has("access-control-request-method")) return {};
    return preflightLines(methods, open.requestHeaders);
  }

  /** Whom all is open to, this path is too. */
  private openAt({ path, headers }: Pick<RequestHead, "path" | "headers">): OpenLines | undefined {
    return this.open?.paths.includes(path) === true && this.set?.admits(headers) !== true ? this.open : undefined;
  }
}

interface OpenLines extends OpenPath {
  readonly paths: readonly string[];
  readonly lines: PreparedHeaders;
}
