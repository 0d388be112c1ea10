import { KeptBytes, profileMaxBytes, spareBytes, viewOf } from "./kept-bytes.js";
import { exifOf, orientationOf, type Orientation } from "./orientation.js";

const pixels = new Set(["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"]);
const flag = { profile: 0x20, exif: 0x08, xmp: 0x04 };

/** Returns a WebP without XMP, EXIF (apart from its orientation) and unknown chunks; a colour profile stays up to 1 MiB. */
export function plainWebp(source: Uint8Array): Buffer {
  const bytes = viewOf(source);
  const result = new KeptBytes(bytes.length + spareBytes);
  let flagsAt = -1;
  let orientation: Orientation = 1;
  let hasProfile = false;
  result.add(bytes.subarray(0, 12));
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    const chunk = bytes.subarray(at, end);
    if (name === "EXIF") orientation = orientationOf(chunk.subarray(8));
    else if (name === "ICCP" && length <= profileMaxBytes && !hasProfile) {
      hasProfile = true;
      result.add(chunk);
    } else if (pixels.has(name)) result.add(chunk);
    else if (name === "VP8X" && flagsAt < 0) {
      flagsAt = result.whole().length + 8;
      result.add(chunk);
    }
    at = end;
  }
  if (orientation !== 1 && flagsAt >= 0) result.add(exifChunk(orientation));
  const whole = result.whole();
  // A truncated file keeps what it claimed to be, so that the decoder sees the truncation.
  const claimed = bytes.length >= 8 ? bytes.readUInt32LE(4) : 0;
  if (whole.length >= 12 && claimed + 8 <= bytes.length) whole.writeUInt32LE(whole.length - 8, 4);
  if (flagsAt >= 0 && flagsAt < whole.length) {
    const other = (whole[flagsAt] ?? 0) & ~(flag.profile | flag.exif | flag.xmp);
    whole[flagsAt] = other | (hasProfile ? flag.profile : 0) | (orientation === 1 ? 0 : flag.exif);
  }
  return whole;
}

function exifChunk(orientation: Orientation): Buffer {
  const exif = exifOf(orientation);
  const head = Buffer.from("EXIF\0\0\0\0", "latin1");
  head.writeUInt32LE(exif.length, 4);
  return Buffer.concat([head, exif]);
}
