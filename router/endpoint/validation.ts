import type { IValidation } from "typia";
import { sentences, type Wording } from "../../shared/contract/rules.js";
import { ApiError } from "../../shared/contract/api-error.js";

/** The values of both; what is wrong by both is told at once. */
export function both<A, B>(first: () => A, second: () => B): [A, B] {
  let value: A;
  try {
    value = first();
  } catch (error) {
    throw error instanceof ApiError ? joined(error, second) : error;
  }
  return [value, second()];
}

function joined(error: ApiError, second: () => unknown): unknown {
  try {
    second();
    return error;
  } catch (other) {
    return other instanceof ApiError ? new ApiError(400, `${error.message}\n${other.message}`) : other;
  }
}

/** The validated value, or 400 with all sentences in the order of the declared properties, joined by a newline. */
export function orThrow<T>(result: IValidation<T>, wording: Wording): T {
  if (result.success) return result.data;
  throw new ApiError(400, sentences(result.errors, wording).join("\n"));
}
