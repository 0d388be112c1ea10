import { open } from "node:fs/promises";

/** A range of code points, both ends inclusive. */
export type CodePoints = readonly [first: number, last: number];

/**
 * Returns the code points that a TrueType or OpenType file has a shape for, from its character map. Reads no more of the file, which is
 * one of ours.
 */
export async function readCharacterMap(path: string): Promise<CodePoints[]> {
  const file = await open(path, "r");
  const read = async (offset: number, length: number): Promise<Buffer> => (await file.read(Buffer.alloc(length), 0, length, offset)).buffer;
  try {
    const tables = (await read(0, 6)).readUInt16BE(4);
    const directory = await read(12, 16 * tables);
    const entry = Array.from({ length: tables }, (_, index) => directory.subarray(16 * index, 16 * index + 16)).find(
      (row) => row.toString("latin1", 0, 4) === "cmap",
    );
    if (entry === undefined) throw new Error(`no character map in ${path}`);
    const map = await read(entry.readUInt32BE(8), entry.readUInt32BE(12));
    return subtables(map).flatMap((subtable) => pointsOf(subtable));
  } finally {
    await file.close();
  }
}

/** Returns the subtables that are keyed by Unicode: of platform 0 (Unicode), or of platform 3 (Windows) with encoding 1 or 10. */
function subtables(map: Buffer): Buffer[] {
  const records = Array.from({ length: map.readUInt16BE(2) }, (_, index) => map.subarray(4 + 8 * index, 12 + 8 * index));
  const isUnicode = (record: Buffer): boolean =>
    record.readUInt16BE(0) === 0 || (record.readUInt16BE(0) === 3 && [1, 10].includes(record.readUInt16BE(2)));
  return records.filter(isUnicode).map((record) => map.subarray(record.readUInt32BE(4)));
}

/** Reads format 4 (the first 65,536 code points) and 12 (all). Format 14 lists variants of characters that are in the others. */
function pointsOf(subtable: Buffer): CodePoints[] {
  switch (subtable.readUInt16BE(0)) {
    case 4:
      return segmentsOf(subtable).filter(([first]) => first !== 0xffff);
    case 12:
      return Array.from({ length: subtable.readUInt32BE(12) }, (_, index) => [
        subtable.readUInt32BE(16 + 12 * index),
        subtable.readUInt32BE(20 + 12 * index),
      ]);
    default:
      return [];
  }
}

function segmentsOf(subtable: Buffer): CodePoints[] {
  const bytes = subtable.readUInt16BE(6);
  return Array.from({ length: bytes / 2 }, (_, index) => [
    subtable.readUInt16BE(16 + bytes + 2 * index),
    subtable.readUInt16BE(14 + 2 * index),
  ]);
}
