import { randomFillSync } from "node:crypto";

/** Nonces are 12 bytes, so one call of the generator, some microseconds whatever its length, is for 512. */
const block = Buffer.alloc(6 * 1_024);
let used = block.length;

/**
 * Returns at most one block of random bytes for public values or names. Not for keys: bytes for
 * later callers are already in memory.
 */
export function randomNonce(bytes: number): Buffer {
  if (used + bytes > block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += bytes;
  return Buffer.from(block.subarray(used - bytes, used));
}
