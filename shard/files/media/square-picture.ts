import { compressImage } from "../../../shared/contract/errors.js";
import { detectBytes, detectType } from "../download/detect-type.js";
import { imageMaxBytes, withFile } from "../download/fetch-file.js";
import { ImageError } from "./image-error.js";
import type { DownloadPort, ImagePort, RenderRequest } from "./ports.js";

interface Ports {
  readonly downloads: DownloadPort;
  readonly images: Pick<ImagePort, "square">;
}

/**
 * Downloads a picture and returns it as both platforms take it for a profile, group or channel: the JPEG of a square of 640 pixels. Throws
 * `error parser file from url <detail>`, and `error compress image: <detail>` for a file that is no picture.
 */
export function squarePicture({ downloads, images }: Ports, url: string, request: RenderRequest): Promise<Buffer> {
  return withFile({ downloads, ...request }, url, imageMaxBytes, async (file) => {
    const found = await detectType(await file.read(0, detectBytes));
    try {
      return (await images.square(file.path, request)).bytes;
    } catch (error) {
      throw error instanceof ImageError ? compressImage(error.sentence(found), error) : error;
    }
  });
}

/** Does the same for a change of a picture: `undefined` leaves it as it is, and an empty text removes it. */
export async function changedPicture(ports: Ports, url: string | undefined, request: RenderRequest): Promise<Buffer | "" | undefined> {
  return url === undefined || url === "" ? url : await squarePicture(ports, url, request);
}
