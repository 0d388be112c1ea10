import { randomFillSync } from "node:crypto";

/** Nonces are 12 bytes, so one call of the generator, some microseconds whatever its length, is for 512. */
const block = Buffer.alloc(6 * 1_024);
let used = block.length;

/** Random bytes for what is public or names something, of a block's length at most. Not for keys: what is for the next callers stands in memory already. */
export function randomNonce(bytes: number): Buffer {
  if (used + bytes > block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += bytes;
  return Buffer.from(block.subarray(used - bytes, used));
}
