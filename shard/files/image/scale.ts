import { open, readFile } from "node:fs/promises";
import type { Metadata, OutputInfo, Sharp } from "sharp";
import { sniffType } from "../download/sniff-type.js";
import { codec, codecSeconds, maxPixels, maxStreamedPixels } from "./codec.js";
import { decodeBmp, type DecodedBmp } from "./decode-bmp.js";
import { ImageError } from "../media/image-error.js";
import { endMarker } from "./metadata/plain-jpeg.js";
import { plainPicture, type PlainPicture } from "./metadata/plain-picture.js";
import type { ScaledImage, ScaleInput } from "./render-task.js";

const readable = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/tiff", "image/avif", "image/heif", "image/bmp"]);
// The downloader allows 20 MiB, and other sources get no more.
const maxFileBytes = 20 * 1024 * 1024;

// A 16-bit or interlaced picture is unpacked as a whole: 50 megapixels of it would be 400 MB.
const maxDecodedBytes = 256 * 1024 * 1024;

/**
 * Makes an upright sRGB JPEG on white without metadata, no side over `maxSide`. Only the bytes decide the source's type. A JPEG or PNG that
 * is like this already and would not shrink may be kept. A sticker is a transparent WebP square. Only squares are enlarged.
 */
export async function scaleImage({
  source,
  maxSide,
  quality,
  keepsSmaller = false,
  asSticker = false,
  asSquare = false,
}: ScaleInput): Promise<ScaledImage> {
  const given = typeof source === "string" ? await readBounded(source) : source;
  const type = sniffType(given) ?? "";
  if (!readable.has(type)) throw new ImageError("unsupported image format");
  const picture = plainPicture(given, type);
  const { bytes } = picture;
  const { data, info, metadata } = await encodeTolerantly(picture, { type, maxSide, quality, asSticker, asSquare });
  const { width, height } = metadata.autoOrient;
  const original = { width, height };
  if (keepsSmaller && data.length >= bytes.length && (type === "image/jpeg" || type === "image/png") && needsNoScaling(metadata, maxSide))
    return { bytes, mimetype: type, width, height, original };
  return { bytes: data, mimetype: asSticker ? "image/webp" : "image/jpeg", width: info.width, height: info.height, original };
}

interface Scaled {
  readonly data: Buffer;
  readonly info: OutputInfo;
  readonly metadata: Metadata;
}

interface Wanted {
  readonly type: string;
  readonly maxSide: number;
  readonly quality: number;
  readonly asSticker: boolean;
  readonly asSquare: boolean;
}

/**
 * A decoder's warnings do not fail a picture that viewers show. A file that is cut off, or that lost most of its pixels, fails. A missing
 * end mark is tolerated when the decoder has no other complaint.
 */
async function encodeTolerantly(picture: PlainPicture, wanted: Wanted): Promise<Scaled> {
  const whole = picture.lacksEnd ? { ...picture, bytes: Buffer.concat([picture.bytes, endMarker]) } : picture;
  try {
    return await encode(whole, wanted, "warning");
  } catch (error) {
    if (error instanceof ImageError) throw error;
    const scaled = await encode(picture, wanted, "error");
    if (error instanceof Error && lostPixels.test(error.message)) {
      // The transparent margins of a sticker would hide blank rows.
      const opaque = wanted.asSticker ? await encode(picture, { ...wanted, asSticker: false }, "error") : scaled;
      if (await isMostlyBlank(opaque.data)) throw new ImageError("image is damaged", error);
    }
    return scaled;
  }
}

/** Messages of libjpeg when it fills in pixels that it could not read. */
const lostPixels = /premature end|bad (huffman|arithmetic)|instead of RST/i;

/** Returns true when more than half of the rows, from the last one up, are one colour each, as a decoder fills them in. */
async function isMostlyBlank(jpeg: Uint8Array): Promise<boolean> {
  const { data, info } = await codec(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  for (let y = info.height - 1; y >= info.height / 2; y--) {
    const row = data.subarray(y * info.width, (y + 1) * info.width);
    if (Math.max(...row) - Math.min(...row) > blankContrast) return false;
  }
  return true;
}

const blankContrast = 3;

async function encode(picture: PlainPicture, wanted: Wanted, failOn: "warning" | "error"): Promise<Scaled> {
  const { type, maxSide, quality, asSticker, asSquare } = wanted;
  const { image, metadata } = await opened(picture, type, failOn);
  const upright = image.timeout({ seconds: codecSeconds }).autoOrient();
  if (asSticker) {
    const square = { width: maxSide, height: maxSide, fit: "contain", background: "#00000000" } as const;
    const sticker = upright.ensureAlpha().resize(square).toColourspace("srgb").webp({ quality });
    const output = await sticker.toBuffer({ resolveWithObject: true }).catch((error: unknown) => Promise.reject(ofHeif(type, error)));
    if (output.data.length <= stickerMaxBytes || quality <= stickerQualityMin) return { ...output, metadata };
    return encode(picture, { ...wanted, quality: quality - 25 }, failOn);
  }
  const output = await upright
    .resize({ width: maxSide, height: maxSide, ...(asSquare ? { fit: "cover" } : { fit: "inside", withoutEnlargement: true }) })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .jpeg({ quality, mozjpeg: false, chromaSubsampling: "4:2:0" })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => Promise.reject(ofHeif(type, error)));
  return { ...output, metadata };
}

async function opened(
  { bytes, streams }: PlainPicture,
  type: string,
  failOn: "warning" | "error",
): Promise<{ image: Sharp; metadata: Metadata }> {
  const limitInputPixels = streams ? maxStreamedPixels : maxPixels;
  const options = { failOn, limitInputPixels, animated: false, pages: 1, sequentialRead: true } as const;
  const image = type === "image/bmp" ? ofBmp(decodeBmp(bytes)) : codec(bytes, options);
  const metadata = await image.metadata().catch((error: unknown) => Promise.reject(ofHeif(type, error)));
  refuseTooLarge(metadata, streams);
  return { image, metadata };
}

/** The platforms' clients show no larger sticker. */
const stickerMaxBytes = 100 * 1024;
const stickerQualityMin = 5;

/** The container of HEIC and AVIF: only reading it shows which of them it holds. */
function ofHeif(type: string, error: unknown): unknown {
  return type === "image/heif" ? new ImageError("unsupported image format", error) : error;
}

function ofBmp({ data, width, height }: DecodedBmp): Sharp {
  return codec(data, { raw: { width, height, channels: 3 } });
}

/**
 * Returns true for a picture that is small enough, upright, opaque, in plain colours and without metadata such as a place, a camera or a
 * name.
 */
function needsNoScaling(
  { width, height, orientation = 1, space, depth, hasAlpha, exif, iptc, xmp, comments = [] }: Metadata,
  maxSide: number,
): boolean {
  const isPlain = orientation === 1 && depth === "uchar" && (space === "srgb" || space === "b-w") && !hasAlpha;
  return (
    isPlain && Math.max(width, height) <= maxSide && exif === undefined && iptc === undefined && xmp === undefined && comments.length === 0
  );
}

/** All frames of an animation count: 60 small ones in a 106 KB file were 240 megapixels, and `limitInputPixels` counts only one. */
function refuseTooLarge({ width, height, channels, depth, pages = 1 }: Metadata, streams: boolean): void {
  if (streams && width * height <= maxStreamedPixels) return;
  const pixels = width * height * pages;
  const sampleBytes = depth === "uchar" ? 1 : 2;
  if (pixels > maxPixels || width * height * channels * sampleBytes > maxDecodedBytes) throw new ImageError("image is too large");
}

async function readBounded(path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    if ((await file.stat()).size > maxFileBytes) throw new ImageError("image is too large");
    return await readFile(file);
  } finally {
    await file.close();
  }
}
