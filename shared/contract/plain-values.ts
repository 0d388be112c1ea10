import type { tags } from "typia";

/** What the texts and numbers of an answer are, for those who read its schema. Nothing is checked by it. */

/** A whole number, 0 or more. */
export type Count = number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 0 }>;
/** Time in ISO 8601, such as `2026-11-21T14:27:39.000Z`. */
export type Instant = string & tags.JsonSchemaPlugin<{ format: "date-time" }>;
