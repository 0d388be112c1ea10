/** What of a file is to be sent; `start` and `end` are inclusive. */
export type Selection =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly start: number; readonly end: number }
  | { readonly kind: "unsatisfiable" };

/**
 * Reads a `Range` header against a file of `size` bytes (router/README.md, "Media"). One byte range is served; anything that is no such
 * range (letters, another unit, `b < a`, several ranges, over 19 digits or 200 bytes) counts as absent, as RFC 9110 allows.
 */
export function selectRange(header: string | undefined, size: number): Selection {
  const [, first, last] = (header !== undefined && header.length <= headerMaxLength && oneRange.exec(header)) || [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return { kind: "whole" };
  if (first === "") {
    const length = Number(last);
    return length === 0 || size === 0 ? { kind: "unsatisfiable" } : { kind: "part", start: Math.max(0, size - length), end: size - 1 };
  }
  if (last !== "" && isLess(last, first)) return { kind: "whole" };
  const start = Number(first);
  if (start >= size) return { kind: "unsatisfiable" };
  return { kind: "part", start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Of decimal digits. 19 of them are more than a number holds exactly. */
function isLess(one: string, other: string): boolean {
  return one.length <= 15 && other.length <= 15 ? Number(one) < Number(other) : BigInt(one) < BigInt(other);
}

/** True when `If-None-Match` names the entity: weak comparison, lists, also over several fields, and `*` (RFC 9110, section 13.1.2). */
export function noneMatch(fields: readonly string[] | undefined, etag: string): boolean {
  if (fields === undefined) return false;
  const list = fields.join(",");
  if (list.trim() === "*") return true;
  return list.split(",").some((tag) => tag.trim().replace(/^W\//, "") === `"${etag}"`);
}

/** True when a range still applies: no `If-Range`, or exactly our strong tag, once. We send no dates, so a date never matches. */
export function rangeApplies(fields: readonly string[] | undefined, etag: string): boolean {
  return fields === undefined || (fields.length === 1 && fields[0]?.trim() === `"${etag}"`);
}

const headerMaxLength = 200;
const oneRange = /^bytes=([0-9]{0,19})-([0-9]{0,19})$/i;
