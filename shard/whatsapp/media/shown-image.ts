import { fileFromUrl } from "../../../shared/contract/whatsapp/errors.js";
import { ImageError } from "../../files/media/image-error.js";
import type { DownloadedFile } from "../../files/media/ports.js";
import { imageThumbnail, type Thumbnails } from "./thumbnail.js";

/** What goes out of a picture: the file itself, or what it was converted to. `size` is in pixels, where it is known. */
export interface ShownImage {
  readonly converted?: Buffer;
  readonly thumbnail: Buffer;
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * A picture as phones show it: JPEG, PNG and WebP go out as they are, up to 50 megapixels; others are converted to JPEG. Throws `error parser file from url
 * <detail>` for a picture that cannot be displayed or converted.
 */
export async function shownImage(thumbnails: Thumbnails, file: DownloadedFile, found = "", url?: string): Promise<ShownImage> {
  try {
    const { jpeg: thumbnail, size } = await imageThumbnail(thumbnails, file.path, url);
    const pixels = size === undefined ? 0 : size.width * size.height;
    if (asIs.has(found) && pixels <= asIsMaxPixels) return { thumbnail, ...(size === undefined ? {} : { size }) };
    const { bytes: converted, width, height } = await thumbnails.images.thumbnail(file.path, convertedSide, thumbnails);
    return { converted, thumbnail, size: { width, height } };
  } catch (error) {
    throw error instanceof ImageError ? fileFromUrl(error.sentence(found), error) : error;
  }
}

const asIs = new Set(["image/jpeg", "image/png", "image/webp"]);
const asIsMaxPixels = 50_000_000;
/** Longest side of a converted picture, pixels. */
const convertedSide = 2_560;
