import { ApiError } from "../../shared/contract/api-error.js";

/** Throws 400 with one line for each field that the call does not have. Calls of the documents ignore such fields. */
export function rejectUnknownFields(body: object, allowed: readonly string[]): void {
  const unknown = Object.keys(body).filter((name) => !allowed.includes(name));
  if (unknown.length > 0) throw new ApiError(400, unknown.map((name) => `property ${name} should not exist`).join("\n"));
}
