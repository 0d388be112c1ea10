import typia, { type tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeInteger, unknownField, type NotEmpty, type Wording } from "../../shared/contract/rules.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { unknownNames } from "../endpoint/unknown-fields.js";
import { orThrow } from "../endpoint/validation.js";
import { notOnce } from "../http/errors.js";

/** Page of a list: `limit` rows after the row named by `after`, which is the `next` of the previous page; empty for the first page. */
export interface PageQuery {
  readonly limit: number;
  readonly after: string;
}

const limitDefault = 100;
const limitMax = 1_000;
/** The API never creates longer values. */
const valueMaxLength = 256;

/** `limit` and `after` of a list. */
export interface PageForm {
  /** Most rows per page, 1 to 1,000. */
  limit?: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 1; maximum: 1000; default: 100 }>;
  /** `next` of the previous page. Absent or empty for the first page. */
  after?: string;
}

/** Name of a shard. */
export interface MemberForm {
  /** Name of a shard. */
  member: string & NotEmpty;
}

export const wording: Wording = { missingParameter: "type-first" };

/** Returns the parameters of a query, each at most once. Throws 400 for an unknown one, because a misspelt filter would show everything. */
export function parseQuery<Name extends string>(
  { query }: Pick<HttpInput, "query">,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  refuseUnknown(query, names);
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || value.length > valueMaxLength) throw notOnce(name, valueMaxLength);
    values[name] = value;
  }
  return values;
}

export function parsePage({ limit = String(limitDefault), after = "" }: { limit?: string; after?: string }): PageQuery {
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > limitMax) throw new ApiError(400, mustBeInteger("limit", 1, limitMax));
  return { limit: count, after };
}

/** Rejects any field in the body of a call that takes none. */
export function parseNothing({ body }: Pick<HttpInput, "body">): void {
  refuseUnknown(body, []);
}

/** Parses `{member}`. */
export function parseMember({ body }: Pick<HttpInput, "body">): string {
  refuseUnknown(body, ["member"]);
  return orThrow(validateMember(body), wording).member;
}

/** Throws 400 with the unknown names. */
export function refuseUnknown(given: unknown, allowed: readonly string[]): void {
  const faults = faultsOfUnknown(Object(given) as object, allowed);
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
}

/** Returns a message for each unknown field, so that callers notice a misspelt name. `within`: path of the object, such as `quotas.`. */
export function faultsOfUnknown(given: object, allowed: readonly string[], within = ""): string[] {
  return unknownNames(given, allowed).map((name) => unknownField(within + name));
}

const validateMember = typia.createValidate<MemberForm>();
