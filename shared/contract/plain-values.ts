import type { tags } from "typia";

/** Types that describe texts and numbers of responses in their schema. They add no check. */

/** A whole number, 0 or more. */
export type Count = number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 0 }>;
/** Time in ISO 8601, such as `2026-11-21T14:27:39.000Z`. */
export type Instant = string & tags.JsonSchemaPlugin<{ format: "date-time" }>;
