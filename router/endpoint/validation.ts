import type { IValidation } from "typia";
import { sentences, type Wording } from "../../shared/contract/rules.js";
import { ApiError } from "../../shared/contract/api-error.js";

/** Returns both values. If both fail, throws one error with the messages of both. */
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

/** Returns the validated value, or throws 400 with all messages in the order of the declared properties, separated by newlines. */
export function orThrow<T>(result: IValidation<T>, wording: Wording): T {
  if (result.success) return result.data;
  throw new ApiError(400, sentences(result.errors, wording).join("\n"));
}
