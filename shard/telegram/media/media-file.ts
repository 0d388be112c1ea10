import { createHash } from "node:crypto";
import { Api } from "telegram";
import bigInt from "big-integer";
import type { MediaDescription, MediaVariant } from "../../../shared/contract/media.js";

/** One file of the platform, and its location. */
export interface MediaFile {
  readonly description: MediaDescription;
  /** Changes when the platform moves the file. */
  dcId: number;
  /** `undefined` if the bytes came with the message. */
  readonly location: Api.TypeInputFileLocation | undefined;
  readonly bytes: Buffer | undefined;
}

/** Returns the file of a variant in a message; `undefined` when the message has no such file. */
export function fileOfMessage(message: Api.Message, variant: MediaVariant): MediaFile | undefined {
  const { media } = message;
  if (media instanceof Api.MessageMediaPhoto && media.photo instanceof Api.Photo) return fileOfPhoto(media.photo, variant);
  if (media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document) return fileOfDocument(media.document, variant);
  return undefined;
}

/** Returns a whole small profile photo, whose size the platform does not announce. */
export function profileFile(photoId: string, dcId: number, bytes: Buffer): MediaFile {
  return { description: describe(`profile:${photoId}`, "", bytes.length, "image/jpeg", ""), dcId, location: undefined, bytes };
}

/**
 * Sizes of a photo, the best first: up to 2560 pixels (`photo`), about 800 (image `thumb`), 320 (video `thumb`). A larger size comes after
 * all smaller ones.
 */
export const largestSizes = ["w", "y", "d", "x", "c", "m", "b", "s", "a"] as const;
export const thumbSizes = ["x", "c", "m", "b", "s", "a", "d", "y", "w"] as const;
export const videoThumbSizes = ["m", "b", "s", "a", "c", "x"] as const;

/** Returns the first of the wanted sizes that the photo has. */
export function pickSize(sizes: readonly Api.TypePhotoSize[] | undefined, wanted: readonly string[]): PickedSize | undefined {
  for (const type of wanted) {
    const size = sizes?.find((one) => "type" in one && one.type === type);
    if (size instanceof Api.PhotoSize) return { type, bytes: undefined, length: size.size, width: size.w, height: size.h };
    if (size instanceof Api.PhotoSizeProgressive)
      return { type, bytes: undefined, length: size.sizes.at(-1) ?? 0, width: size.w, height: size.h };
    if (size instanceof Api.PhotoCachedSize) return { type, bytes: size.bytes, length: size.bytes.length, width: size.w, height: size.h };
  }
  return undefined;
}

interface PickedSize {
  readonly type: string;
  readonly bytes: Buffer | undefined;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the file name from its sender; empty without one. */
export function nameOf(document: Api.Document): string {
  return (
    document.attributes.find((attribute): attribute is Api.DocumentAttributeFilename => attribute instanceof Api.DocumentAttributeFilename)
      ?.fileName ?? ""
  );
}

function fileOfPhoto(photo: Api.Photo, variant: MediaVariant): MediaFile | undefined {
  if (variant !== "photo" && variant !== "thumb") return undefined;
  const size = pickSize(photo.sizes, variant === "photo" ? largestSizes : thumbSizes);
  if (size === undefined) return undefined;
  const location = new Api.InputPhotoFileLocation({
    id: photo.id,
    accessHash: photo.accessHash,
    fileReference: photo.fileReference,
    thumbSize: size.type,
  });
  return {
    description: describe(`photo:${photo.id.toString()}`, size.type, size.length, "image/jpeg", ""),
    dcId: photo.dcId,
    location,
    bytes: size.bytes,
  };
}

function fileOfDocument(document: Api.Document, variant: MediaVariant): MediaFile | undefined {
  const { id, accessHash, fileReference, dcId } = document;
  const key = `document:${id.toString()}`;
  if (variant === "file") {
    const location = new Api.InputDocumentFileLocation({ id, accessHash, fileReference, thumbSize: "" });
    return {
      description: describe(key, "", bigInt(document.size).toJSNumber(), document.mimeType, nameOf(document)),
      dcId,
      location,
      bytes: undefined,
    };
  }
  const size = variant === "thumb" ? pickSize(document.thumbs, videoThumbSizes) : undefined;
  if (size === undefined) return undefined;
  const location = new Api.InputDocumentFileLocation({ id, accessHash, fileReference, thumbSize: size.type });
  return { description: describe(key, size.type, size.length, "image/jpeg", ""), dcId, location, bytes: size.bytes };
}

/** The bytes behind an id never change, so id, size type and length make the tag. */
function describe(key: string, sizeType: string, size: number, mimetype: string, name: string): MediaDescription {
  return {
    size,
    mimetype: mimetype || "application/octet-stream",
    name,
    fileKey: digest(`file|${key}|${sizeType}`),
    etag: digest(`tag|${key}|${sizeType}|${size}`),
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
