import { ApiError } from "../../shared/contract/api-error.js";
import { shouldNotExist } from "../../shared/contract/rules.js";

/** Throws 400 with a line for each field that the call does not have, so that a misspelt field is not ignored. */
export function rejectUnknownFields(body: object, allowed: readonly string[]): void {
  const unknown = Object.keys(body).filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return;
  throw new ApiError(
    400,
    unknown
      .slice(0, listedMax)
      .map((name) => shouldNotExist(name.slice(0, nameMaxLength)))
      .join("\n"),
  );
}

const listedMax = 10;
const nameMaxLength = 64;
