import { fileFromUrl } from "../../../shared/contract/whatsapp/errors.js";
import { ImageError } from "../../files/media/image-error.js";
import type { DownloadedFile } from "../../files/media/ports.js";
import { imageThumbnail, type Thumbnails } from "./thumbnail.js";

/** The picture to send: the file itself, or its conversion. `size` is in pixels, where it is known. */
export interface ShownImage {
  readonly converted?: Buffer;
  readonly thumbnail: Buffer;
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Returns the picture to send: JPEG, PNG and WebP unchanged up to 50 megapixels, others as JPEG. Throws `error parser file from url
 * <detail>` if it cannot be displayed or converted.
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
