import type { MediaDescription } from "../../shared/contract/media.js";
import { mediaMaxAgeSeconds } from "../../shared/limits.js";
import type { ResponseHeaders } from "../http/response.js";

/**
 * Returns the headers of every successful media response (variant B), without length and range. They stop browsers from running the file
 * or guessing its type.
 */
export function mediaHeaders({ mimetype, etag, name }: MediaDescription): ResponseHeaders {
  const type = safeType(mimetype);
  return {
    "Content-Type": type,
    "Content-Disposition": disposition(type, name),
    "Accept-Ranges": "bytes",
    "Cache-Control": `public, max-age=${mediaMaxAgeSeconds}`,
    ETag: `"${etag}"`,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
}

/** Types that a browser would run, and malformed types, become plain bytes. */
function safeType(mimetype: string): string {
  const type = mimetype.trim().toLowerCase();
  const wellFormed = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/.test(type);
  return wellFormed && !/html|svg|xml|javascript|ecmascript/.test(type) ? type : "application/octet-stream";
}

/** Shows only images, video and audio inline. File names follow RFC 6266, without line breaks, quotes or control characters. */
function disposition(type: string, name: string): string {
  const kind = /^(image|video|audio)\//.test(type) ? "inline" : "attachment";
  const clean = name
    .replace(/[\u0000-\u001f\u007f"\\/]/g, "")
    .slice(0, 120)
    .replace(/\p{Surrogate}/gu, "")
    .trim();
  if (clean === "") return kind;
  const ascii = clean.replace(/[^\x20-\x7e]/g, "_");
  if (ascii === clean) return `${kind}; filename="${ascii}"`;
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
