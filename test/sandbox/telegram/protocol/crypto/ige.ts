/** AES-256-IGE in both directions. Encryption uses the native CBC cipher. Decryption has no such form and uses GramJS's code. */
import { createCipheriv } from "node:crypto";
import { IGE } from "telegram/crypto/IGE.js";

/**
 * Encrypts `plain` (whole blocks) into `target`, which may be the same memory. IGE is c(i) = E(p(i) xor c(i-1)) xor p(i-1), with IV c(-1)
 * p(-1). For q(i) = p(i) xor p(i-2) with p(-2) = 0, CBC over q gives c(i) xor p(i-1).
 */
export function encryptIge(key: Buffer, iv: Buffer, plain: Buffer, target: Buffer): void {
  const previous = iv.subarray(16, 32);
  const before = words(previous);
  const source = words(plain);
  const mixed = scratchOf(plain.length);
  const q = words(mixed);
  for (let i = 0; i < source.length; i += 1) q[i] = at(source, i) ^ (i >= 8 ? at(source, i - 8) : i >= 4 ? at(before, i - 4) : 0);
  const cipher = createCipheriv("aes-256-cbc", key, iv.subarray(0, 16)).setAutoPadding(false);
  const d = words(cipher.update(mixed));
  // Runs backwards because `target` may be `plain`.
  const out = wordsInPlace(target);
  for (let i = source.length - 1; i >= 0; i -= 1) out[i] = at(d, i) ^ (i >= 4 ? at(source, i - 4) : at(before, i));
}

export function decryptIge(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  return new IGE(key, iv).decryptIge(encrypted);
}

/** Shared by all encryptions: a new half megabyte per file part would keep the garbage collector busy. */
let scratch = Buffer.alloc(0);

function scratchOf(length: number): Buffer {
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(Math.max(length, 1_048_576));
  return scratch.subarray(0, length);
}

/** Returns the same bytes as 32-bit words, copied if they are unaligned. */
function words(bytes: Buffer): Uint32Array {
  if (bytes.byteOffset % 4 === 0) return wordsInPlace(bytes);
  return wordsInPlace(Buffer.from(bytes));
}

function wordsInPlace(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function at(array: Uint32Array, index: number): number {
  return array[index] ?? 0;
}
