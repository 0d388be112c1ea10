/** Current place in the console: the address after `#`. */
export interface Place {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export interface Match<Row> {
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

/** Reads `#/sessions?state=connected`; anything else is the beginning. */
export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  return { path: path.startsWith("/") ? path.replace(/(?<=.)\/+$/, "") : "/", query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the first row whose `path` matches. `:name` matches one part. An invalid part matches no row. */
export function matchRoute<Row extends { readonly path: string }>(rows: readonly Row[], path: string): Match<Row> | undefined {
  for (const row of rows) {
    const params = paramsOf(row.path.split("/"), path.split("/"));
    if (params !== undefined) return { row, params };
  }
  return undefined;
}

function paramsOf(wanted: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== text) return undefined;
      continue;
    }
    const value = decoded(text);
    if (value === undefined || value === "") return undefined;
    params[part.slice(1)] = value;
  }
  return params;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // A percent sign that means nothing.
  }
}

/** The address of a place: `to("/sessions/:id", { id }, { q })`. Empty parts of the query are left out. */
export function to(path: string, params: Readonly<Record<string, string>> = {}, query: Readonly<Record<string, string>> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#${filled}${asked === "" ? "" : `?${asked}`}`;
}
