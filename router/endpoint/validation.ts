import type { IValidation } from "typia";
import { sentences, type Wording } from "../../shared/contract/rules.js";
import { ApiError } from "../../shared/contract/api-error.js";

/** The validated value, or 400 with all sentences in the order of the declared properties, joined by a newline. */
export function orThrow<T>(result: IValidation<T>, wording: Wording): T {
  if (result.success) return result.data;
  throw new ApiError(400, sentences(result.errors, wording).join("\n"));
}
