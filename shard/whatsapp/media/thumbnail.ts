import { fileFromUrl } from "../../../shared/contract/whatsapp/errors.js";
import { ifMade } from "../../files/image/if-made.js";
import { ImageError } from "../../files/media/image-error.js";
import type { DownloadedFile, ImagePort, VideoPort } from "../../files/media/ports.js";
import { defaultThumbnail } from "./default-thumbnail.js";
import { type Fetching, thumbnailMaxBytes, withFile } from "../../files/download/fetch-file.js";

export interface Thumbnails extends Fetching<DownloadedFile> {
  readonly images: ImagePort;
  readonly videos: VideoPort;
}

/** A small JPEG, and the original's size in pixels where it is known. */
export interface Thumbnail {
  readonly jpeg: Buffer;
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Returns the caller's own thumbnail, else a scaled picture, else the default one if time ran out. Rejects with ImageError for a picture
 * that cannot be displayed.
 */
export async function imageThumbnail(thumbnails: Thumbnails, path: string, url = ""): Promise<Thumbnail> {
  const [given, own] = await Promise.all([
    givenThumbnail(thumbnails, url),
    ifMade(thumbnails.images.thumbnail(path, side, thumbnails), "image is damaged", "image is too large", "unsupported image format"),
  ]);
  return { jpeg: given ?? own?.bytes ?? defaultThumbnail, ...(own === undefined ? {} : { size: own.original }) };
}

/**
 * Returns the caller's own thumbnail, else the first frame, else the default one. Throws `error parser file from url <detail>` for a file
 * that is not a video.
 */
export async function videoThumbnail(thumbnails: Thumbnails, path: string, url = ""): Promise<Thumbnail> {
  const { images, videos, key, signal } = thumbnails;
  const [given, frame] = await Promise.all([givenThumbnail(thumbnails, url), firstFrame(videos.read(path, { key, signal }))]);
  const own = frame === undefined ? undefined : (await ifMade(images.thumbnail(frame.jpeg, side, { key, signal })))?.bytes;
  return { jpeg: given ?? own ?? defaultThumbnail, ...(frame === undefined ? {} : { size: { width: frame.width, height: frame.height } }) };
}

/** Pixels. A message is encrypted for each device with its thumbnail inside, so the thumbnail is small. */
const side = 160;

async function givenThumbnail(thumbnails: Thumbnails, url: string): Promise<Buffer | undefined> {
  if (url === "") return undefined;
  return withFile(
    thumbnails,
    url,
    thumbnailMaxBytes,
    async (file) => (await ifMade(thumbnails.images.thumbnail(file.path, side, thumbnails)))?.bytes,
  );
}

async function firstFrame<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await ifMade(work, "unsupported video format");
  } catch (error) {
    throw error instanceof ImageError ? fileFromUrl(error.detail, error) : error;
  }
}
