import type { Wording } from "../../shared/contract/rules.js";

/** Variant B names the type of a missing parameter first: `groupId must be a string`, then `groupId should not be empty`. */
export const wording: Wording = { missingParameter: "type-first" };
