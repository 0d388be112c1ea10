import { Api } from "telegram";
import { compressImage, sendTimeout } from "../../../shared/contract/telegram/errors.js";
import { imageMaxBytes, mediaMaxBytes, thumbnailMaxBytes, withFile } from "../../files/download/fetch-file.js";
import { ImageError } from "../../files/media/image-error.js";
import type { Client } from "../client.js";
import { CallTimeout } from "../network/connection-error.js";
import type { DownloadedFile, RenderAsk, UploadSource } from "../../files/media/ports.js";
import type { TelegramConnector } from "../connector.js";
import { bytesSource, uploadFile } from "./upload.js";

/** One command's way of bringing files from a caller's URLs to the platform. */
export interface Transfer {
  readonly connector: TelegramConnector;
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Milliseconds until the command's deadline, at least 1. */
  readonly leftMs: () => number;
}

/** Whose work it is, and until when. */
export function askOf({ connector, signal }: Transfer): RenderAsk {
  return { key: connector.id, signal };
}

const maxBytes = { image: imageMaxBytes, thumbnail: thumbnailMaxBytes, media: mediaMaxBytes } as const;

/** Runs with the file of a URL and removes it in any case. Throws `error parser file from url <detail>`. */
export function fetched<T>(
  transfer: Transfer,
  url: string,
  kind: keyof typeof maxBytes,
  use: (file: DownloadedFile) => Promise<T>,
): Promise<T> {
  return withFile({ downloads: transfer.connector.services.downloads, ...askOf(transfer) }, url, maxBytes[kind], use);
}

/** Uploads for one later use; half a megabyte of the file is in memory for each part on its way. Throws `send timeout after 240s` at the deadline. */
export async function uploaded(
  { client, signal, leftMs }: Transfer,
  source: UploadSource | Buffer,
  name: string,
): Promise<Api.InputFile | Api.InputFileBig> {
  try {
    return await uploadFile(client, Buffer.isBuffer(source) ? bytesSource(source) : source, name, signal, leftMs());
  } catch (error) {
    throw error instanceof CallTimeout ? sendTimeout() : error;
  }
}

/** The result of the render pool, or `error compress image: <detail>`. `found`: the type of what it was made of, where that is known. */
export async function drawn<T>(work: Promise<T>, found?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ImageError ? compressImage(error.sentence(found), error) : error;
  }
}

export interface VideoSource {
  readonly url: string;
  readonly mimetype: string;
  /** Seconds. */
  readonly duration: number;
}

/** A video for a message or story; `size` in pixels, zeros when nobody knows it. */
export async function uploadedVideo(
  transfer: Transfer,
  { url, mimetype, duration }: VideoSource,
  file: DownloadedFile,
  thumbnail: Buffer | undefined,
  size: { readonly width: number; readonly height: number },
): Promise<Api.InputMediaUploadedDocument> {
  const thumb = thumbnail && (await uploaded(transfer, thumbnail, "thumbnail.jpg"));
  const fileName = nameOf(url, "video.mp4");
  return new Api.InputMediaUploadedDocument({
    file: await uploaded(transfer, file, fileName),
    ...(thumb && { thumb }),
    mimeType: mimetype,
    // Without it the platform turns a video that has no sound into an animation.
    nosoundVideo: true,
    attributes: [
      new Api.DocumentAttributeVideo({ duration, w: size.width, h: size.height, supportsStreaming: true }),
      new Api.DocumentAttributeFilename({ fileName }),
    ],
  });
}

/** Returns the last part of a URL's path as a file name, at most 64 characters from its end; `fallback` without one. */
export function nameOf(url: string, fallback: string): string {
  const last = URL.canParse(url) ? decoded(new URL(url).pathname.split("/").pop() ?? "") : "";
  const name = Array.from(last.replace(unfitForNames, "_")).slice(-nameMax).join("");
  return /[^_\s.]/.test(name) ? name : fallback;
}

const nameMax = 64;
/** What some file system refuses, and what cannot be seen or turns the reading direction. */
const unfitForNames = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}/\\:*?"<>|]/gu;

/** Bytes that are no UTF-8 stay in hexadecimal. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part.replaceAll("%", "_");
  }
}

/** Throws `error compress image: …` for a picture of a shape that the platform takes as no photo. */
export function requirePhotoShape({ width, height }: { readonly width: number; readonly height: number }): void {
  if (Math.max(width, height) > photoRatioMax * Math.min(width, height)) throw compressImage("one side is more than 20 times the other");
}

const photoRatioMax = 20;

/** Longest side of a thumbnail, pixels. */
export const thumbnailSide = 320;
