import { open, readFile } from "node:fs/promises";
import type { Metadata } from "sharp";
import { sniffType } from "../download/sniff-type.js";
import { codecSeconds, codec, maxPixels } from "./codec.js";
import { ImageError } from "./image-error.js";
import { plainPicture } from "./metadata/plain-picture.js";
import type { ScaledImage, ScaleInput } from "./render-task.js";

const readable = new Set(["image/jpeg", "image/png", "image/webp"]);
// The downloader allows 20 MiB; whoever comes another way gets no more.
const maxFileBytes = 20 * 1024 * 1024;

// A 16-bit or interlaced picture is unpacked as a whole: 50 megapixels of it would be 400 MB.
const maxDecodedBytes = 256 * 1024 * 1024;

/**
 * Makes a JPEG of a JPEG, PNG or WebP: upright (EXIF orientation applied), neither side longer than `maxSide`, never enlarged,
 * transparency on white, sRGB, no metadata. The bytes decide what it is, never a name or a declared type. What is all that and would only grow may be kept.
 */
export async function scaleImage({ source, maxSide, quality, keepsSmaller = false }: ScaleInput): Promise<ScaledImage> {
  const given = typeof source === "string" ? await readBounded(source) : source;
  const type = sniffType(given) ?? "";
  if (!readable.has(type)) throw new ImageError("unsupported image format");
  const { bytes } = plainPicture(given, type);

  const image = codec(bytes, { failOn: "warning", limitInputPixels: maxPixels, animated: false, pages: 1, sequentialRead: true });
  const metadata = await image.metadata();
  refuseTooLarge(metadata);
  const { data, info } = await image
    .timeout({ seconds: codecSeconds })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .jpeg({ quality, mozjpeg: false, chromaSubsampling: "4:2:0" })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = metadata.autoOrient;
  const original = { width, height };
  if (keepsSmaller && data.length >= bytes.length && (type === "image/jpeg" || type === "image/png") && needsNoScaling(metadata, maxSide))
    return { bytes, mimetype: type, width, height, original };
  return { bytes: data, mimetype: "image/jpeg", width: info.width, height: info.height, original };
}

/** Small enough, upright, opaque, in the colours of every screen, and with nothing in it but the picture: no place, no camera, no name. */
function needsNoScaling(
  { width, height, orientation = 1, space, depth, hasAlpha, exif, iptc, xmp, comments = [] }: Metadata,
  maxSide: number,
): boolean {
  const isPlain = orientation === 1 && depth === "uchar" && (space === "srgb" || space === "b-w") && !hasAlpha;
  return (
    isPlain && Math.max(width, height) <= maxSide && exif === undefined && iptc === undefined && xmp === undefined && comments.length === 0
  );
}

/** All frames of an animation count: 60 small ones in a 106 KB file were 240 megapixels, and `limitInputPixels` sees only one. */
function refuseTooLarge({ width, height, channels, depth, pages = 1 }: Metadata): void {
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
