import { ApiError } from "../../shared/contract/api-error.js";
import { storageUnavailable } from "../../shared/contract/errors.js";

/** Returns the reply of Redis to an operator's call. A failure becomes 503, so the caller may retry. */
export async function orStorageUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw error instanceof ApiError ? error : storageUnavailable(error);
  }
}
