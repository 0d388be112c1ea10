import { KeptBytes, spareBytes, viewOf } from "./kept-bytes.js";

const extension = 0x21;
const graphicControl = 0xf9;
const imageDescriptor = 0x2c;
const trailer = 0x3b;

/** Returns a GIF of the first frame only, without comments, application blocks and further frames. */
export function plainGif(source: Uint8Array): Buffer {
  const bytes = viewOf(source);
  const result = new KeptBytes(bytes.length + spareBytes);
  let at = 13 + tableBytes(bytes[10] ?? 0);
  let control: Buffer | undefined;
  result.add(bytes.subarray(0, at));
  while (at < bytes.length) {
    if (bytes[at] === imageDescriptor) {
      const end = endOfBlocks(bytes, at + 11 + tableBytes(bytes[at + 9] ?? 0));
      if (control !== undefined) result.add(control);
      result.add(bytes.subarray(at, end));
      if (end <= bytes.length) result.add(Buffer.from([trailer]));
      return result.whole();
    }
    if (bytes[at] !== extension) break;
    const end = endOfBlocks(bytes, at + 2);
    if (bytes[at + 1] === graphicControl) control = bytes.subarray(at, end);
    at = end;
  }
  return result.whole();
}

/** Returns the bytes of a colour table, from the flags that announce it. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Returns where the blocks that begin at `start` end; past the end of the bytes when they are cut off. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length + 1;
}
