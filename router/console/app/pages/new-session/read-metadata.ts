import { ApiFailure } from "../../api/failure.js";

/** What somebody wrote as JSON. Whether it is what the API wants, the API says; what is no JSON at all cannot be sent. */
export function readMetadata(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiFailure(0, "metadata must be JSON");
  }
}
