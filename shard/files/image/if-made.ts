import { ImageError, type ImageFault } from "../media/image-error.js";

/**
 * Returns the result, or undefined when it could not be made and the caller continues without it. Rejects with ImageError only for the
 * `fatal` faults.
 */
export async function ifMade<T>(work: Promise<T>, ...fatal: readonly ImageFault[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ImageError && !fatal.includes(error.detail)) return undefined;
    throw error;
  }
}
