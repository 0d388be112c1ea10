import { ApiError } from "../../shared/contract/api-error.js";
import { shouldNotExist } from "../../shared/contract/rules.js";

/**
 * Throws 400 with a line for each field that the call does not have, so that a misspelt field is not ignored. `path`: prefix of the names,
 * such as `settings.`.
 */
export function rejectUnknownFields(given: unknown, allowed: readonly string[], path = ""): void {
  const unknown = unknownNames(Object(given) as object, allowed);
  if (unknown.length > 0) throw new ApiError(400, unknown.map((name) => shouldNotExist(`${path}${name}`)).join("\n"));
}

/** Does the same for the object in a field of `body`. Leaves any other value to the validator of the field. */
export function rejectUnknownInside(body: unknown, field: string, allowed: readonly string[]): void {
  const given: unknown = Reflect.get(Object(body) as object, field);
  if (typeof given === "object" && given !== null && !Array.isArray(given)) rejectUnknownFields(given, allowed, `${field}.`);
}

/** Returns the names of the first unknown fields, cut to a length that an error can show. */
export function unknownNames(given: object, allowed: readonly string[]): string[] {
  const unknown = Object.keys(given).filter((name) => !allowed.includes(name));
  return unknown.slice(0, namedMax).map((name) => name.slice(0, nameMaxLength));
}

const namedMax = 10;
const nameMaxLength = 64;
