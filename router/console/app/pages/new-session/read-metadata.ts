import { ApiFailure } from "../../api/failure.js";

export const notJson = 'Enter valid JSON, e.g. {"customer": 42}';

/** What somebody wrote as JSON. Whether it is what the API wants, the API says; what is no JSON at all cannot be sent. */
export function readMetadata(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiFailure(0, notJson);
  }
}
