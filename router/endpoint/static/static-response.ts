import { acceptsGzip } from "../../http/accept-encoding.js";
import type { ResponseAtHand } from "../../http/handler.js";
import type { RequestHead } from "../../http/request.js";
import { noneMatch } from "../../http/range.js";
import type { StaticFile } from "./static-file.js";

/** Returns the response for a file: 304, its head, or its bytes in a coding that the caller accepts. Pure. */
export function staticResponse({ method, headers }: Pick<RequestHead, "method" | "headers">, file: StaticFile): ResponseAtHand {
  const gzip = acceptsGzip(headers.get("accept-encoding")) ? file.gzip : undefined;
  // Each coding has its own tag, because a strong tag names exact bytes.
  const etag = gzip === undefined ? file.etag : `${file.etag}-gzip`;
  const common = { ...file.headers, ETag: `"${etag}"`, ...(file.gzip === undefined ? {} : { Vary: "Accept-Encoding" }) };
  if (noneMatch(headers.get("if-none-match"), etag)) return { kind: "empty", status: 304, headers: common };
  const bytes = gzip ?? file.bytes;
  const coded = gzip === undefined ? common : { ...common, "Content-Encoding": "gzip" };
  if (method === "HEAD" || bytes.length === 0) return { kind: "empty", status: 200, headers: coded, length: bytes.length };
  return { kind: "bytes", status: 200, headers: coded, bytes, isMedia: false };
}
