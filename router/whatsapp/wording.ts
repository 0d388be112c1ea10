import type { Wording } from "../../shared/contract/rules.js";

/**
 * For a missing parameter variant A first reports that it is empty: `groupId should not be empty`, then `groupId must be a string`. Other
 * missing fields are only reported as empty.
 */
export const wording: Wording = { missingParameter: "empty-first", missing: "empty" };
