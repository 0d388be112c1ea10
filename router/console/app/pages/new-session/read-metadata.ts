import { ApiFailure } from "../../api/failure.js";

export const notJson = 'Enter valid JSON, e.g. {"customer": 42}';

/** Parses the user's JSON. Throws if it is not JSON; the API checks the rest. */
export function readMetadata(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiFailure(0, notJson);
  }
}
