import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeAtMostCharacters } from "../../shared/contract/rules.js";

/** Throws 400 if the text of a field has more characters than the platform accepts. */
export function requireAtMost(field: string, text: string | undefined, max: number): void {
  if (text !== undefined && Array.from(text).length > max) throw new ApiError(400, mustBeAtMostCharacters(field, max));
}
