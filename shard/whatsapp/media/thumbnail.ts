import { ImageError } from "../../image/image-error.js";
import { type DownloadedFile, type ImagePort, type VideoPort } from "../ports.js";
import { defaultThumbnail } from "./default-thumbnail.js";
import { type Fetching, thumbnailMaxBytes, withFile } from "../../download/fetch-file.js";

export interface Thumbnails extends Fetching<DownloadedFile> {
  readonly images: ImagePort;
  readonly videos: VideoPort;
}

/** A small JPEG, and the size of what it stands for where that is known, pixels. */
export interface Thumbnail {
  readonly jpeg: Buffer;
  readonly size?: { readonly width: number; readonly height: number };
}

/** The caller's own, else one made of the picture, else the default one: a picture that we cannot read may still be one that phones can. */
export async function imageThumbnail(thumbnails: Thumbnails, path: string, url = ""): Promise<Thumbnail> {
  const [given, own] = await Promise.all([givenThumbnail(thumbnails, url), made(thumbnails.images.thumbnail(path, side, thumbnails.signal))]);
  return { jpeg: given ?? own?.bytes ?? defaultThumbnail, ...(own === undefined ? {} : { size: own.original }) };
}

/** The caller's own, else the first frame, else the default one. */
export async function videoThumbnail(thumbnails: Thumbnails, path: string, url = ""): Promise<Thumbnail> {
  const { images, videos, key, signal } = thumbnails;
  const [given, frame] = await Promise.all([givenThumbnail(thumbnails, url), made(videos.read(path, { key, signal }))]);
  const own = frame === undefined ? undefined : (await made(images.thumbnail(frame.jpeg, side, signal)))?.bytes;
  return { jpeg: given ?? own ?? defaultThumbnail, ...(frame === undefined ? {} : { size: { width: frame.width, height: frame.height } }) };
}

/** It travels inside the message, so once for each recipient's device. */
const side = 160;

async function givenThumbnail(thumbnails: Thumbnails, url: string): Promise<Buffer | undefined> {
  if (url === "") return undefined;
  return withFile(thumbnails, url, thumbnailMaxBytes, async (file) => (await made(thumbnails.images.thumbnail(file.path, side, thumbnails.signal)))?.bytes);
}

async function made<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
