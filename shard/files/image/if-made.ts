import { ImageError, type ImageFault } from "../media/image-error.js";

/** Returns what was made, or undefined when it could not be made and the caller goes on without it. Rejects with ImageError for the `fatal` faults alone. */
export async function ifMade<T>(work: Promise<T>, ...fatal: readonly ImageFault[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ImageError && !fatal.includes(error.detail)) return undefined;
    throw error;
  }
}
