import type { RoutePath } from "./handler.js";
import type { HttpMethod } from "./request.js";

/** A served route. Unless `exact`, its path is also served with a trailing slash. A `GET` also serves `HEAD`. */
export interface TableRow {
  readonly method: HttpMethod;
  readonly path: RoutePath;
  readonly exact: boolean;
}

export type ServedMethod = HttpMethod | "HEAD";

export function servedMethods(method: HttpMethod): readonly ServedMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

export function servedPaths({ path, exact }: Pick<TableRow, "path" | "exact">): readonly RoutePath[] {
  return exact || path.endsWith("/") || path.endsWith("*") ? [path] : [path, `${path}/`];
}

/** Finds the methods of a path. It runs only for requests without a route, so a scan of all rows is enough. */
export class RouteTable {
  private readonly rows: { readonly methods: readonly ServedMethod[]; readonly patterns: readonly (readonly string[])[] }[] = [];

  add(row: TableRow): void {
    this.rows.push({ methods: servedMethods(row.method), patterns: servedPaths(row).map(segmentsOf) });
  }

  /** Returns the methods in a fixed order; none for an unknown path. */
  methodsOf(path: string): readonly ServedMethod[] {
    const segments = segmentsOf(path);
    const found = new Set(
      this.rows.filter(({ patterns }) => patterns.some((pattern) => fits(pattern, segments))).flatMap(({ methods }) => methods),
    );
    return order.filter((method) => found.has(method));
  }
}

const order: readonly ServedMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

function segmentsOf(path: string): readonly string[] {
  return path.split("/").slice(1);
}

/** Matches as the engine does: a parameter is not empty, and `*` takes the rest, which may be empty. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === "*";
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (open ? segments.length <= fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
}
