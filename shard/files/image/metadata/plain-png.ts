import { crc32, inflateSync } from "node:zlib";
import { KeptBytes, profileMaxBytes, spareBytes, viewOf } from "./kept-bytes.js";
import { exifOf, orientationOf, type Orientation } from "./orientation.js";

/** Chunks that a picture is drawn from. No decoder unpacks more than the picture's own pixels from these. */
const kept = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "cICP", "pHYs"]);
const headBytes = 12;

/**
 * Returns a PNG without texts, times, EXIF (except the orientation) and further frames. Keeps a colour profile of at most 1 MiB unpacked.
 * Adds a missing end when the pixels may be whole.
 */
export function plainPng(source: Uint8Array): Buffer {
  const bytes = viewOf(source);
  const result = new KeptBytes(bytes.length + spareBytes);
  let orientation: Orientation = 1;
  let hasProfile = false;
  let hasPixels = false;
  let at = 8;
  result.add(bytes.subarray(0, at));
  while (at + headBytes <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    const end = at + headBytes + length;
    if (name === "IEND") break;
    // The decoder decides about a file that ends within a chunk.
    if (end > bytes.length) {
      if (name === "IDAT") result.add(bytes.subarray(at));
      return result.whole();
    }
    const data = bytes.subarray(at + 8, end - 4);
    if (name === "eXIf" && !hasPixels && orientation === 1) {
      orientation = orientationOf(data);
      if (orientation !== 1) result.add(chunk("eXIf", exifOf(orientation)));
    } else if (name === "iCCP" && !hasProfile && !hasPixels) {
      hasProfile = isBoundedProfile(data);
      if (hasProfile) result.add(bytes.subarray(at, end));
    } else if (kept.has(name) && (name !== "IDAT" || length > 0)) {
      hasPixels ||= name === "IDAT";
      result.add(bytes.subarray(at, end));
    }
    at = end;
  }
  result.add(chunk("IEND", Buffer.alloc(0)));
  return result.whole();
}

/** A profile is a name, a zero, the method 0 and a zlib stream. */
function isBoundedProfile(data: Buffer): boolean {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 1 || nameEnd > 79) return false;
  try {
    return inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: profileMaxBytes }).length > 0;
  } catch {
    return false; // damaged or too large: the picture is shown without it
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
