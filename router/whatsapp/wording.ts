import type { Wording } from "../../shared/contract/rules.js";

/** Variant A names the emptiness of a missing parameter first: `groupId should not be empty`, then `groupId must be a string`; whatever else is missing is empty, and no more. */
export const wording: Wording = { missingParameter: "empty-first", missing: "empty" };
