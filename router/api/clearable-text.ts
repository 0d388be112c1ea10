import { ApiError } from "../../shared/contract/api-error.js";
import { isBlank } from "../../shared/contract/blank.js";
import { mustBeString } from "../../shared/contract/rules.js";
import { requireAtMost } from "./text-length.js";

/** Parses a text that a caller may clear: an empty one removes it, `null` counts as absent. `max` is in characters. */
export function parseClearable<Name extends string>(body: unknown, field: Name, max: number): { [F in Name]?: string } {
  const text: unknown = Reflect.get(Object(body) as object, field);
  if (text === undefined || text === null) return {};
  if (typeof text !== "string") throw new ApiError(400, mustBeString(field));
  requireAtMost(field, text, max);
  return { [field]: isBlank(text) ? "" : text } as { [F in Name]?: string };
}
