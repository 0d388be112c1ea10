import { askedToWait, mediaNotFound, mediaTimeout } from "../../../shared/contract/whatsapp/errors.js";
import type { ApiError } from "../../../shared/contract/api-error.js";
import { QueryTimeout } from "../network/connection-error.js";
import { FileMismatch } from "./file-cipher.js";
import { HostRefused } from "./host-refused.js";
import { HostsUnreachable } from "./read-stored.js";

/** Runs work for the media endpoint, which has its own errors for waits, timeouts and files that are not available. */
export async function withMediaErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileMismatch) throw mediaNotFound(error);
    if (error instanceof HostRefused) throw refusalError(error);
    if (error instanceof QueryTimeout || error instanceof HostsUnreachable) throw mediaTimeout(error);
    throw error;
  }
}

function refusalError(error: HostRefused): ApiError {
  if (error.status === 429) return askedToWait(error.retrySeconds ?? defaultWaitSeconds);
  return error.isMomentary ? mediaTimeout(error) : mediaNotFound(error);
}

const defaultWaitSeconds = 5;
