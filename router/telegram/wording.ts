import type { Wording } from "../../shared/contract/rules.js";

/** For a missing parameter variant B first reports its type: `groupId must be a string`, then `groupId should not be empty`. */
export const wording: Wording = { missingParameter: "type-first" };
