import type { tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { isBlank } from "../../shared/contract/blank.js";
import { invalidAfter } from "../../shared/contract/errors.js";
import type { PageQuery } from "../../shared/contract/page.js";
import { mustBeInteger } from "../../shared/contract/rules.js";
import type { HttpInput } from "./endpoint.js";
import { integer } from "./integer-parameter.js";
import { rejectUnknownFields } from "./unknown-fields.js";

/** Parameters of a page of chats or contacts. */
export interface PageForm {
  /** Entries per page, 1 to 100. */
  limit?: PageLimit;
  /** `next` of the previous page. Absent or empty: the first page. */
  after?: string;
}

export type PageLimit = number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 1; maximum: 100; default: 50 }>;

/** Parses GET /chat and GET /contact. Rejects unknown parameters. */
export function parsePage({ query }: HttpInput): PageQuery {
  rejectUnknownFields(query, ["limit", "after"]);
  const limit = integer(query["limit"], pageDefault, 1, pageMost);
  const after = cursor(query["after"]);
  if (limit !== undefined && after !== undefined) return { limit, after };
  const faults = [...(limit === undefined ? [limitFault] : []), ...(after === undefined ? [invalidAfter().message] : [])];
  throw new ApiError(400, faults.join("\n"));
}

export const pageDefault = 50;
export const pageMost = 100;
export const limitFault = mustBeInteger("limit", 1, pageMost);

/** Returns the cursor, empty if it is absent or blank; `undefined` for a text that no page returned. The shard reads it. */
function cursor(value: string | readonly string[] | undefined): string | undefined {
  if (value === undefined || (typeof value === "string" && isBlank(value))) return "";
  return typeof value === "string" && /^[\w.@:-]{1,200}$/.test(value) ? value : undefined;
}
