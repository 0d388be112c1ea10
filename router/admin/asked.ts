import { ApiError } from "../../shared/contract/api-error.js";
import { serverBusy } from "../../shared/contract/errors.js";

/** What Redis answers to an operator's call. One that does not answer is 503: the call may be repeated. */
export async function asked<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw error instanceof ApiError ? error : serverBusy(error);
  }
}
