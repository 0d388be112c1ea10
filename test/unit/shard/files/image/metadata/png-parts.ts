import { crc32, deflateSync } from "node:zlib";

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Returns `png` with `chunks` after its header. */
export function withChunks(png: Buffer, chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** Returns a zTXt chunk of 39 KB that expands to 40 MB. */
export function textBomb(name = "zTXt"): Buffer {
  return pngChunk(name, Buffer.concat([Buffer.from("k\0\0", "latin1"), deflateSync(Buffer.alloc(40_000_000, 97), { level: 9 })]));
}
