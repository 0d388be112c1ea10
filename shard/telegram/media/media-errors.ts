import { askedToWait, mediaNotFound, mediaTimeout } from "../../../shared/contract/telegram/errors.js";
import { errorName } from "../errors.js";
import { floodSeconds } from "../flood-wait.js";
import { CallTimeout } from "../network/connection-error.js";

/** Runs work for the media endpoint, which has its own errors for flood waits, timeouts and lost files. */
export async function withMediaErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const seconds = floodSeconds(error);
    if (seconds !== undefined) throw askedToWait(seconds);
    if (error instanceof CallTimeout) throw mediaTimeout();
    if (lostNames.has(errorName(error) ?? "")) throw mediaNotFound(error);
    throw error;
  }
}

const lostNames = new Set(["FILE_ID_INVALID", "LOCATION_INVALID"]);
