import type { AnswerAtHand } from "../http/handler.js";
import type { RequestHead } from "../http/request.js";
import { noneMatch } from "../media/range.js";
import type { StaticFile } from "./static-file.js";

/** What a request gets of a file: 304, its head, or its bytes in the form that the caller reads. Pure. */
export function staticAnswer({ method, headers }: Pick<RequestHead, "method" | "headers">, file: StaticFile): AnswerAtHand {
  const gzip = acceptsGzip(headers.get("accept-encoding")) ? file.gzip : undefined;
  // Each form has a tag of its own: a tag names bytes.
  const etag = gzip === undefined ? file.etag : `${file.etag}-gzip`;
  const common = { ...file.headers, ETag: `"${etag}"`, ...(file.gzip === undefined ? {} : { Vary: "Accept-Encoding" }) };
  if (noneMatch(headers.get("if-none-match"), etag)) return { kind: "empty", status: 304, headers: common };
  const bytes = gzip ?? file.bytes;
  const coded = gzip === undefined ? common : { ...common, "Content-Encoding": "gzip" };
  if (method === "HEAD" || bytes.length === 0) return { kind: "empty", status: 200, headers: coded, length: bytes.length };
  return { kind: "bytes", status: 200, headers: coded, bytes, isMedia: false };
}

/** Whether gzip is named, or all codings are, and not with a weight of 0 (RFC 9110, section 12.5.3). */
export function acceptsGzip(fields: readonly string[] | undefined): boolean {
  const weights = new Map((fields ?? []).flatMap((field) => field.toLowerCase().split(",")).map(weightOf));
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

function weightOf(item: string): [coding: string, weight: number] {
  const [coding = "", ...parameters] = item.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return [coding, weight === undefined ? 1 : Number(weight)];
}
