import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeInteger } from "../../shared/contract/rules.js";
import type { HttpInput } from "../endpoint/endpoint.js";

/** What is asked for of a list: `limit` documents that come after the one called `after`. */
export interface PageQuery {
  readonly limit: number;
  readonly after: string;
}

export interface Page<T> {
  readonly docs: readonly T[];
  /** For the next page; empty after the last one. */
  readonly next: string;
}

const limitDefault = 100;
const limitMax = 1_000;

/** `isName`: what the documents of this list are called by. */
export function parsePage(
  { query: { limit = String(limitDefault), after = "" } }: HttpInput,
  isName: (text: string) => boolean,
): PageQuery {
  const count = typeof limit === "string" && /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  const faults = [
    ...(count < 1 || count > limitMax ? [mustBeInteger("limit", 1, limitMax)] : []),
    ...(typeof after !== "string" || (after !== "" && !isName(after)) ? ["after must be the next of a page"] : []),
  ];
  if (faults.length > 0 || typeof after !== "string") throw new ApiError(400, faults.join("\n"));
  return { limit: count, after };
}

/** In the order of their names. One that was removed since the page before is no hindrance. */
export function pageOf<T>(all: readonly T[], nameOf: (doc: T) => string, { limit, after }: PageQuery): Page<T> {
  const rest = all.filter((doc) => nameOf(doc) > after).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const docs = rest.slice(0, limit);
  const last = docs.at(-1);
  return { docs, next: last === undefined || rest.length === docs.length ? "" : nameOf(last) };
}
