import { ApiError } from "../../shared/contract/api-error.js";
import { storageUnavailable } from "../../shared/contract/errors.js";

/** Resolves with the reply of Redis. Rejects with 503 `storage unavailable` if Redis fails, so the caller may retry. */
export async function orStorageUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw error instanceof ApiError ? error : storageUnavailable(error);
  }
}
