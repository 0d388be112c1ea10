import jsqr from "jsqr";
import sharp from "sharp";

/** Pixels. jsQR finds a code best when each module is several pixels wide. */
const comfortableWidth = 600;
const margin = 40;
const maxPixels = 16_000_000;

/** Returns the text of the QR code in an image (base64, with or without a `data:` prefix), or `undefined` if it has none. */
export async function readQrImage(image: string): Promise<string | undefined> {
  const bytes = Buffer.from(image.replace(/^data:[^,]*,/, ""), "base64");
  try {
    const { width } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata();
    // The original size is tried first: it decodes in a third of the time.
    return (
      (await readAt(bytes, width)) ??
      (width < comfortableWidth ? await readAt(bytes, width * Math.ceil(comfortableWidth / width)) : undefined)
    );
  } catch {
    return undefined; // Not an image. A camera would see no code either.
  }
}

async function readAt(bytes: Buffer, width: number): Promise<string | undefined> {
  const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels })
    .flatten({ background: "#ffffff" })
    .resize({ width, kernel: "nearest" })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: "#ffffff" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  // Phones expect a dark code on a light background.
  const code = jsqr.default(pixels, info.width, info.height, { inversionAttempts: "dontInvert" });
  return code === null || code.data === "" ? undefined : code.data;
}
