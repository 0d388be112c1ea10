import { Api } from "telegram";
import { compressImage, sendTimeout } from "../../../shared/contract/telegram/errors.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { imageMaxBytes, mediaMaxBytes, thumbnailMaxBytes, withFile } from "../../files/download/fetch-file.js";
import { plainType } from "../../files/download/media-type.js";
import { ImageError } from "../../files/media/image-error.js";
import type { Client } from "../client.js";
import { CallTimeout } from "../network/connection-error.js";
import type { DownloadedFile, RenderRequest, UploadSource } from "../../files/media/ports.js";
import type { TelegramConnector } from "../connector.js";
import { bytesSource, uploadFile } from "./upload.js";

/** The parts with which one command brings bytes to the platform. */
export interface Upload {
  readonly client: Client;
  readonly signal: Ending;
  /** Milliseconds until the command's deadline, at least 1. */
  readonly leftMs: () => number;
}

/** The parts with which one command brings files from a caller's URLs to the platform. */
export interface Transfer extends Upload {
  readonly connector: TelegramConnector;
  readonly signal: AbortSignal;
}

/** Returns the session that owns the work, and the command's signal. */
export function renderRequestOf({ connector, signal }: Transfer): RenderRequest {
  return { key: connector.id, signal };
}

const maxBytes = { image: imageMaxBytes, thumbnail: thumbnailMaxBytes, media: mediaMaxBytes } as const;

/** Runs `use` with the file of a URL and always removes the file. Throws `error parser file from url <detail>`. */
export function fetched<T>(
  transfer: Transfer,
  url: string,
  kind: keyof typeof maxBytes,
  use: (file: DownloadedFile) => Promise<T>,
): Promise<T> {
  return withFile({ downloads: transfer.connector.services.downloads, ...renderRequestOf(transfer) }, url, maxBytes[kind], use);
}

/**
 * Uploads a file for one later use, with half a megabyte in memory for each part in flight. Throws `send timeout after 240s` at the
 * deadline.
 */
export async function uploaded(
  { client, signal, leftMs }: Upload,
  source: UploadSource | Buffer,
  name: string,
): Promise<Api.InputFile | Api.InputFileBig> {
  try {
    return await uploadFile(client, Buffer.isBuffer(source) ? bytesSource(source) : source, name, signal, leftMs());
  } catch (error) {
    throw error instanceof CallTimeout ? sendTimeout() : error;
  }
}

/** Returns the result of the render pool, or throws `error compress image: <detail>`. `found` is the type of the source, if known. */
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
  /** In seconds. */
  readonly duration: number;
}

/** Uploads a video for a message or story. `size` is in pixels, zeros when unknown. */
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
    // The platform's clients compare types letter by letter, and would show another form as a file.
    mimeType: plainType(mimetype),
    // Without this the platform turns a video without sound into an animation.
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
/** Characters that some file systems refuse, invisible ones, and ones that turn the reading direction. */
const unfitForNames = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}/\\:*?"<>|]/gu;

/** Leaves bytes that are no UTF-8 in hexadecimal. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part.replaceAll("%", "_");
  }
}

/** Throws `error compress image: …` for a picture whose shape the platform does not accept as a photo. */
export function requirePhotoShape({ width, height }: { readonly width: number; readonly height: number }): void {
  if (Math.max(width, height) > photoRatioMax * Math.min(width, height)) throw compressImage("one side is more than 20 times the other");
}

const photoRatioMax = 20;

/** Longest side of a thumbnail in pixels. */
export const thumbnailSide = 320;
