import { ImageError } from "../media/image-error.js";
import { maxPixels } from "./codec.js";
import { viewOf } from "./metadata/kept-bytes.js";

/** Rows from the top, with three bytes (red, green, blue) for each pixel. */
export interface DecodedBmp {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes an uncompressed Windows bitmap of 1 to 32 bits per pixel, which libvips cannot read. Throws ImageError for a compressed, damaged
 * or too large one (`maxPixels`). Ignores transparency, as most viewers do.
 */
export function decodeBmp(source: Uint8Array): DecodedBmp {
  const bytes = viewOf(source);
  const headBytes = bytes.length < 30 ? 0 : bytes.readUInt32LE(14);
  // The oldest form has 16-bit sizes and no room for colour masks.
  if (headBytes < 40 || bytes.length < 14 + headBytes) throw new ImageError("unsupported image format", "BMP head");
  const [width, signedHeight] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  const [bits, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)];
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw new ImageError("image is damaged", "BMP size");
  if (width * height > maxPixels) throw new ImageError("image is too large");
  const isPlain = compression === 0 && [1, 4, 8, 16, 24, 32].includes(bits);
  if (!isPlain && !(compression === 3 && (bits === 16 || bits === 32))) throw new ImageError("unsupported image format", "BMP kind");
  const start = bytes.readUInt32LE(10);
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (start + stride * height > bytes.length) throw new ImageError("image is damaged", "BMP ends early");
  const data = Buffer.allocUnsafe(3 * width * height);
  const colour = bits <= 8 ? paletteColour(bytes, headBytes) : directColour(bytes, headBytes, bits, compression === 3);
  for (let y = 0; y < height; y++) {
    const row = bytes.subarray(start + stride * (signedHeight < 0 ? y : height - 1 - y));
    for (let x = 0; x < width; x++) data.writeUIntBE(colour(pixelOf(row, x, bits)), 3 * (y * width + x), 3);
  }
  return { data, width, height };
}

function pixelOf(row: Buffer, x: number, bits: number): number {
  if (bits >= 8) return row.readUIntLE((x * bits) / 8, bits / 8);
  const perByte = 8 / bits;
  return ((row[Math.floor(x / perByte)] ?? 0) >> (8 - bits * ((x % perByte) + 1))) & (2 ** bits - 1);
}

/** Returns a function from a pixel's number to its colour, 0xRRGGBB. A number outside the palette is black. */
function paletteColour(bytes: Buffer, headBytes: number): (pixel: number) => number {
  const at = 14 + headBytes;
  return (pixel) => (at + 4 * pixel + 3 <= bytes.length ? bytes.readUIntLE(at + 4 * pixel, 3) : 0);
}

function directColour(bytes: Buffer, headBytes: number, bits: number, masked: boolean): (pixel: number) => number {
  if (bits === 24) return (pixel) => pixel;
  // The masks follow a head of 40 bytes; a longer head holds them at the same place.
  const usual = bits === 16 ? [0x7c00, 0x03e0, 0x001f] : [0xff0000, 0x00ff00, 0x0000ff];
  const masks = usual.map((mask, index) => (masked && bytes.length >= 66 && headBytes >= 40 ? bytes.readUInt32LE(54 + 4 * index) : mask));
  const parts = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { shift, most: mask >>> shift };
  });
  return (pixel) =>
    parts.reduce((colour, { shift, most }) => colour * 256 + (most === 0 ? 0 : Math.round((((pixel >>> shift) & most) * 255) / most)), 0);
}
