import { createCipheriv } from "node:crypto";

/**
 * With p plain text, c cipher text, IV = c(0) then p(0): q(i) = p(i) xor p(i-2), d = CBC(q) under c(0), c(i) = d(i) xor p(i-1).
 * The length is a multiple of 16.
 */
export function encryptIge(key: Buffer, iv: Buffer, plainText: Buffer): Buffer {
  const words = plainText.length >> 2;
  // The slices copy: the views need an offset that is a multiple of 4.
  const plain = new Uint32Array(copyOf(plainText));
  const first = new Uint32Array(copyOf(iv.subarray(16, 32)));
  const mixed = new Uint32Array(words);
  for (let i = 0; i < words; i++) mixed[i] = (plain[i] ?? 0) ^ (i < 4 ? 0 : i < 8 ? (first[i - 4] ?? 0) : (plain[i - 8] ?? 0));
  const cipher = createCipheriv("aes-256-cbc", key, iv.subarray(0, 16)).setAutoPadding(false);
  const out = new Uint32Array(copyOf(cipher.update(new Uint8Array(mixed.buffer))));
  for (let i = 0; i < words; i++) out[i] = (out[i] ?? 0) ^ (i < 4 ? (first[i] ?? 0) : (plain[i - 4] ?? 0));
  return Buffer.from(out.buffer);
}

function copyOf(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
