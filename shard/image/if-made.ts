import { ImageError, type ImageFault } from "./image-error.js";

/** What was made, or undefined where none could be made, which is no trouble of the caller's. Rejects with ImageError for the `fatal` fault alone. */
export async function ifMade<T>(work: Promise<T>, fatal?: ImageFault): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ImageError && error.detail !== fatal) return undefined;
    throw error;
  }
}
