import { KeptBytes, profileMaxBytes, spareBytes, viewOf } from "./kept-bytes.js";
import { exifOf, orientationOf, type Orientation } from "./orientation.js";

/**
 * A JPEG without metadata. `streams`: it can be decoded row by row, so that memory does not grow with its height. `lacksEnd`: no end
 * marker follows the pixels.
 */
export interface PlainJpeg {
  readonly bytes: Buffer;
  readonly streams: boolean;
  readonly lacksEnd: boolean;
}

/**
 * Returns a JPEG without comments, EXIF (except the orientation), XMP, thumbnails and bytes between segments. Keeps colour information, a
 * profile up to 1 MiB, and all bytes from the first scan on.
 */
export function plainJpeg(source: Uint8Array): PlainJpeg {
  const bytes = viewOf(source);
  const kept = new KeptBytes(bytes.length + spareBytes);
  let orientation: Orientation = 1;
  let profileBytes = 0;
  let frame: { readonly marker: number; readonly components: number } | undefined;
  let at = 2;
  kept.add(bytes.subarray(0, 2));
  while (at < bytes.length) {
    const start = bytes.indexOf(0xff, at);
    const marker = bytes[start + 1];
    if (start < 0 || marker === undefined) break;
    // Fill bytes and markers without a segment.
    if (marker === 0xff || marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at = marker === 0xff ? start + 1 : start + 2;
      continue;
    }
    const length = start + 4 <= bytes.length ? bytes.readUInt16BE(start + 2) : 0;
    const end = start + 2 + length;
    if (marker === startOfScan || marker === endOfImage || length < 2 || end > bytes.length) {
      if (orientation !== 1) kept.add(exifSegment(orientation));
      kept.add(bytes.subarray(start));
      const components = bytes[start + 4] ?? 0;
      const streams = marker === startOfScan && frame !== undefined && frame.marker <= 0xc1 && components === frame.components;
      return { bytes: kept.whole(), streams, lacksEnd: bytes.indexOf(endMarker, start) < 0 };
    }
    const segment = bytes.subarray(start, end);
    if (isFrame(marker)) frame = { marker, components: segment[9] ?? 0 };
    if (isExif(segment) && orientation === 1) orientation = orientationOf(segment.subarray(4));
    if (isProfile(segment)) profileBytes += segment.length;
    if (staysAsIs(segment) || (isProfile(segment) && profileBytes <= profileMaxBytes)) kept.add(segment);
    at = end;
  }
  return { bytes: kept.whole(), streams: false, lacksEnd: true };
}

export const endMarker = Buffer.from([0xff, 0xd9]);

const startOfScan = 0xda;
const endOfImage = 0xd9;
const adobe = 0xee;
const jfif = 0xe0;

/** SOF0 to SOF15, without the three that are tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const isExif = (segment: Buffer): boolean => segment[1] === 0xe1 && segment.toString("latin1", 4, 10) === "Exif\0\0";
const isProfile = (segment: Buffer): boolean => segment[1] === 0xe2 && segment.toString("latin1", 4, 15) === "ICC_PROFILE";

/** Keeps tables and frames; of the application segments only those that say how colours are stored. */
function staysAsIs(segment: Buffer): boolean {
  const marker = segment[1] ?? 0;
  if (marker === adobe || marker === jfif) return segment.length < 64;
  return marker < 0xe0;
}

function exifSegment(orientation: Orientation): Buffer {
  const exif = exifOf(orientation);
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 8]), Buffer.from("Exif\0\0", "latin1"), exif]);
}
