import jsqr from "jsqr";
import sharp from "sharp";

/** jsQR finds the patterns of a code best when a module is several pixels wide. */
const comfortableWidth = 600;
const margin = 40;
const maxPixels = 16_000_000;

/** What a phone's camera reads off a QR image (base64, with or without a `data:` prefix); `undefined` when there is no code in it. */
export async function readQrImage(image: string): Promise<string | undefined> {
  const bytes = Buffer.from(image.replace(/^data:[^,]*,/, ""), "base64");
  try {
    const { width } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata();
    // A code that is read as it is takes a third of the time.
    return (
      (await readAt(bytes, width)) ??
      (width < comfortableWidth ? await readAt(bytes, width * Math.ceil(comfortableWidth / width)) : undefined)
    );
  } catch {
    return undefined; // Not an image: a camera would see nothing, too.
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
  // A phone looks for dark on light.
  const code = jsqr.default(pixels, info.width, info.height, { inversionAttempts: "dontInvert" });
  return code === null || code.data === "" ? undefined : code.data;
}
