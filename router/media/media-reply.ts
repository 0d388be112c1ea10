import { rangeNotSatisfiable } from "../../shared/contract/errors.js";
import { chunkBytes } from "../../shared/limits.js";
import { chunkOf } from "./chunk.js";
import { singleHeader, type RequestHead } from "../http/request.js";
import { jsonError, type ResponseHeaders, type HttpResponse, type WholeResponse } from "../http/response.js";
import type { BorrowedChunk } from "./chunk-memory.js";
import type { DescribedFile } from "./media-memory.js";
import { noneMatch, rangeApplies, selectRange } from "../http/range.js";

/** A response without the file's bytes, or the bytes `start..end` (inclusive, never empty) with their extra headers. */
export type MediaReply =
  | { readonly kind: "whole"; readonly response: WholeResponse }
  | { readonly kind: "part"; readonly status: 200 | 206; readonly headers: ResponseHeaders; readonly start: number; readonly end: number };

/** Returns the reply for a known file (router/README.md, "Media"): conditions (304), HEAD, range (416), then bytes. */
export function mediaReply(request: RequestHead, { description: { size, etag }, headers }: DescribedFile): MediaReply {
  if (noneMatch(request.headers.get("if-none-match"), etag)) return { kind: "whole", response: { kind: "empty", status: 304, headers } };
  if (request.method === "HEAD") return { kind: "whole", response: { kind: "empty", status: 200, headers, length: size } };
  const applies = rangeApplies(request.headers.get("if-range"), etag);
  const selection = selectRange(applies ? singleHeader(request, "range") : undefined, size);
  switch (selection.kind) {
    case "unsatisfiable": {
      const { status, message } = rangeNotSatisfiable();
      return { kind: "whole", response: jsonError(status, message, { "Content-Range": `bytes */${size}` }) };
    }
    case "whole":
      if (size === 0) return { kind: "whole", response: { kind: "empty", status: 200, headers, length: 0 } };
      return { kind: "part", status: 200, headers: {}, start: 0, end: size - 1 };
    case "part": {
      const { start, end } = selection;
      return { kind: "part", status: 206, headers: { "Content-Range": `bytes ${start}-${end}/${size}` }, start, end };
    }
    default:
      return selection satisfies never;
  }
}

/**
 * Returns the bytes `start..end` (inclusive) from the one chunk that holds them. Releases the chunk and the stream's place when they are
 * sent.
 */
export function bytesResponse(
  head: Pick<BytesReply, "status" | "headers" | "prepared">,
  { bytes, done }: BorrowedChunk,
  { start, end }: { start: number; end: number },
  release: (taken: number) => void,
): BytesReply {
  const first = chunkOf(start) * chunkBytes;
  const onEnd = (taken: number): void => {
    done();
    release(taken);
  };
  return { kind: "bytes", isMedia: true, ...head, bytes: bytes.subarray(start - first, end - first + 1), onEnd };
}

type BytesReply = Extract<HttpResponse, { kind: "bytes" }>;
