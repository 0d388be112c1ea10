/** A file as a client knows it, with the headers of every successful response. */
export interface ReferenceFile {
  readonly size: number;
  /** Includes its quotes. */
  readonly etag: string;
  readonly type: string;
  readonly disposition: string;
  bytes(offset: number, length: number): Buffer;
}

export interface ExpectedResponse {
  readonly status: number;
  /** All headers except `Date`, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON of an error, or the range of the file that is the body. */
  readonly body:
    | { readonly kind: "error"; readonly message: string }
    | { readonly kind: "bytes"; readonly offset: number; readonly length: number };
}

/** Request header lines by lower-case name. */
export type HeaderLines = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the response to a request for a file that RFC 9110 and router/README.md, "Media", require. Shares no code with the router's
 * header parser, so that it cannot hide the parser's errors.
 */
export function expectedResponse(file: ReferenceFile, method: "GET" | "HEAD", lines: HeaderLines): ExpectedResponse {
  const success = {
    "content-type": file.type,
    "content-disposition": file.disposition,
    "accept-ranges": "bytes",
    "cache-control": "public, max-age=86400",
    etag: file.etag,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  };
  const nothing = { kind: "bytes", offset: 0, length: 0 } as const;
  // RFC 9110, 13.2.2: If-None-Match comes first, and decides before any range.
  if (namesEntity(lines["if-none-match"], file.etag)) return { status: 304, headers: success, body: nothing };
  const whole = { ...success, "content-length": String(file.size) };
  // 14.2: Range is defined only for GET.
  if (method === "HEAD") return { status: 200, headers: whole, body: nothing };
  const range = stillApplies(lines["if-range"], file.etag) ? readRange(lines["range"], BigInt(file.size)) : "absent";
  if (range === "absent") return { status: 200, headers: whole, body: { kind: "bytes", offset: 0, length: file.size } };
  if (range === "unsatisfiable") {
    const message = "range not satisfiable";
    const length = JSON.stringify({ statusCode: 416, message }).length;
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "content-range": `bytes */${file.size}`,
      "x-error-code": "range-not-satisfiable",
      "content-length": String(length),
    };
    return { status: 416, headers, body: { kind: "error", message } };
  }
  const [first, last] = range;
  const length = Number(last - first + 1n);
  return {
    status: 206,
    headers: { ...success, "content-length": String(length), "content-range": `bytes ${first}-${last}/${file.size}` },
    body: { kind: "bytes", offset: Number(first), length },
  };
}

/** 13.1.2: a list on any number of lines, compared weakly, or `*`. */
function namesEntity(lines: readonly string[] | undefined, etag: string): boolean {
  if (lines === undefined) return false;
  const all = lines.join(",");
  if (all.trim() === "*") return true;
  for (const [, opaque] of all.matchAll(/(?:^|,)[ \t]*(?:W\/)?("[^"]*")[ \t]*(?=,|$)/g)) if (opaque === etag) return true;
  return false;
}

/** 13.1.5: only a strong tag in a single field. A date never matches, because we send none. */
function stillApplies(lines: readonly string[] | undefined, etag: string): boolean {
  return lines === undefined || (lines.length === 1 && lines[0]?.trim() === etag);
}

/**
 * 14.1.2 and router/README.md: one byte range in one field of at most 200 bytes, numbers of at most 19 digits. Everything else is ignored.
 */
function readRange(lines: readonly string[] | undefined, size: bigint): "absent" | "unsatisfiable" | [first: bigint, last: bigint] {
  const [value, ...more] = lines ?? [];
  if (value === undefined || more.length > 0 || value.trim().length > 200) return "absent";
  const [unit = "", set, ...rest] = value.trim().split("=");
  if (unit.toLowerCase() !== "bytes" || set === undefined || rest.length > 0) return "absent";
  const ends = set.split("-");
  const [from = "", to = ""] = ends;
  if (ends.length !== 2 || from + to === "" || ![from, to].every(isShortNumber)) return "absent";
  if (from === "") {
    const suffix = BigInt(to);
    if (suffix === 0n || size === 0n) return "unsatisfiable";
    return [suffix > size ? 0n : size - suffix, size - 1n];
  }
  if (to !== "" && BigInt(from) > BigInt(to)) return "absent";
  if (BigInt(from) >= size) return "unsatisfiable";
  return [BigInt(from), to === "" || BigInt(to) >= size ? size - 1n : BigInt(to)];
}

function isShortNumber(text: string): boolean {
  return text.length <= 19 && [...text].every((char) => char >= "0" && char <= "9");
}
