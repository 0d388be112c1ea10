/** Part of a file to send; `start` and `end` are inclusive. */
export type Selection =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly start: number; readonly end: number }
  | { readonly kind: "unsatisfiable" };

/**
 * Reads a `Range` header against a file of `size` bytes (router/README.md, "Media"). Serves one byte range. Any other value counts as
 * absent, as RFC 9110 allows.
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

/** Compares strings of digits. 19 digits are more than a number holds exactly. */
function isLess(one: string, other: string): boolean {
  return one.length <= 15 && other.length <= 15 ? Number(one) < Number(other) : BigInt(one) < BigInt(other);
}

/** Returns true when `If-None-Match` names the entity: weak comparison, lists over several fields, and `*` (RFC 9110, section 13.1.2). */
export function noneMatch(fields: readonly string[] | undefined, etag: string): boolean {
  if (fields === undefined) return false;
  const list = fields.join(",");
  if (list.trim() === "*") return true;
  return list.split(",").some((tag) => tag.trim().replace(/^W\//, "") === `"${etag}"`);
}

/** Returns true when a range applies: no `If-Range`, or exactly our strong tag. Dates never match, because we send none. */
export function rangeApplies(fields: readonly string[] | undefined, etag: string): boolean {
  return fields === undefined || (fields.length === 1 && fields[0]?.trim() === `"${etag}"`);
}

const headerMaxLength = 200;
const oneRange = /^bytes=([0-9]{0,19})-([0-9]{0,19})$/i;
