/** How the camera was held, by EXIF; 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const orientationTag = 0x0112;
const entriesMax = 512;

/** Returns the orientation that a TIFF block of EXIF states; 1 when it states none. Reads the first directory only. */
export function orientationOf(exif: Buffer): Orientation {
  const block = exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif;
  const little = block.toString("latin1", 0, 2) === "II";
  const short = (at: number): number => (at + 2 > block.length ? 0 : little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const long = (at: number): number => (at + 4 > block.length ? 0 : little ? block.readUInt32LE(at) : block.readUInt32BE(at));
  const directory = long(4);
  const entries = Math.min(short(directory), entriesMax);
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + 12 * index;
    if (short(at) === orientationTag) return orientations.find((one) => one === short(at + 8)) ?? 1;
  }
  return 1;
}

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** Returns a TIFF block of EXIF that states only the orientation. */
export function exifOf(orientation: Orientation): Buffer {
  return Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
}
