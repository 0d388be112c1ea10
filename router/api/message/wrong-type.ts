import { ApiError } from "../../../shared/contract/api-error.js";
import { unknownType } from "../../../shared/contract/errors.js";
import { isEmpty, shouldNotBeEmpty, type Wording } from "../../../shared/contract/rules.js";

/** Returns the error for a required `type` that is not in `types`, which are in the document's order. */
export function wrongType(given: unknown, types: readonly string[], { missing }: Wording): ApiError {
  return missing === "empty" && isEmpty(given) ? new ApiError(400, shouldNotBeEmpty("type")) : unknownType(types);
}
