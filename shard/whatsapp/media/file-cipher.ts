import { createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { MEDIA_HKDF_KEY_MAPPING } from "@whiskeysockets/baileys";
import type { FileFacts } from "../../../shared/media/file-facts.js";
import { chunkBytes } from "../../../shared/limits.js";
import type { CheckedChunk } from "./whole-checks.js";

/** The bytes of a file do not belong to its message. */
export class FileMismatch extends Error {
  override readonly name = "FileMismatch";
}

/** Positions in the file as the media host stores it; `to` is exclusive. */
export interface StoredRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the stored bytes from which one chunk of a file of `facts.length` bytes is decrypted; `undefined` past the end. */
export function storedRange({ length, mediaKey }: FileFacts, chunk: number): StoredRange | undefined {
  const start = chunk * chunkBytes;
  const end = Math.min(start + chunkBytes, length);
  if (!Number.isInteger(chunk) || chunk < 0 || start >= end) return undefined;
  if (mediaKey.length === 0) return { from: start, to: end };
  // The block before a chunk is its initialization vector.
  return { from: Math.max(0, start - blockBytes), to: end === length ? storedLength(length) : end };
}

/** The stored bytes of a file of one chunk whose length is not known; the file may end earlier. */
export function wholeRange({ mediaKey }: FileFacts): StoredRange {
  return { from: 0, to: mediaKey.length === 0 ? chunkBytes : storedLength(chunkBytes) };
}

/** Checks a chunk as a part of its whole file. Returns false if the file does not match. */
export type CheckPart = (macKey: Buffer, part: CheckedChunk) => boolean;

/** Decrypts and checks one chunk. Throws `FileMismatch` for bytes that do not belong to the file. */
export function openChunk(facts: FileFacts, chunk: number, stored: Buffer, checkPart: CheckPart = () => true): Buffer {
  const start = chunk * chunkBytes;
  const expected = Math.min(chunkBytes, facts.length - start);
  const isLast = start + expected === facts.length;
  const plain = facts.mediaKey.length === 0 ? stored : decryptChunk(facts, chunk, isLast, stored, checkPart);
  if (plain.length !== expected) throw new FileMismatch(`chunk has ${plain.length} bytes, ${expected} were expected`);
  if (chunk === 0 && isLast) checkHash(facts, plain);
  return plain;
}

/** Decrypts and checks a whole file of one chunk whose length is not known. */
export function openWhole(facts: FileFacts, stored: Buffer): Buffer {
  const plain = facts.mediaKey.length === 0 ? stored : decryptChunk(facts, 0, true, stored, () => true);
  checkHash(facts, plain);
  return plain;
}

const blockBytes = 16;
const macBytes = 10;
const sidecarWindow = 64 * 1024;

/** Length of the encrypted file: whole blocks with at least one byte of padding, then the MAC. */
function storedLength(length: number): number {
  return (Math.floor(length / blockBytes) + 1) * blockBytes + macBytes;
}

/**
 * Checks the file's own MAC when the chunk is the whole file, else the sidecar where the link has one. A part of any other file can only
 * be checked with all others, because the file's MAC and hashes cover all of it.
 */
function decryptChunk(facts: FileFacts, chunk: number, isLast: boolean, stored: Buffer, checkPart: CheckPart): Buffer {
  const { iv, cipherKey, macKey } = expand(facts);
  const chained = chunk === 0 ? Buffer.concat([iv, stored]) : stored;
  const bodyEnd = isLast ? chained.length - macBytes : chained.length;
  const encrypted = chained.subarray(0, bodyEnd);
  if (encrypted.length < 2 * blockBytes || encrypted.length % blockBytes !== 0) throw new FileMismatch("encrypted chunk is cut");
  if (chunk === 0 && isLast) requireMac(macKey, chained.subarray(bodyEnd), encrypted);
  else if (facts.sidecar.length > 0) checkSidecar(facts, macKey, chunk, chained, bodyEnd);
  else if (
    !checkPart(macKey, {
      chunk,
      bytes: encrypted.subarray(chunk === 0 ? 0 : blockBytes),
      mac: isLast ? chained.subarray(bodyEnd) : undefined,
    })
  )
    throw new FileMismatch("MAC of the whole file does not match");
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, encrypted.subarray(0, blockBytes)).setAutoPadding(isLast);
  try {
    const plain = decipher.update(encrypted.subarray(blockBytes));
    const rest = decipher.final();
    // Only the last chunk has a rest. The others need no copy.
    return rest.length === 0 ? plain : Buffer.concat([plain, rest]);
  } catch (error) {
    throw new FileMismatch("encrypted chunk has no valid padding", { cause: error });
  }
}

function checkSidecar({ sidecar }: FileFacts, macKey: Buffer, chunk: number, chained: Buffer, bodyEnd: number): void {
  let entry = chunk * (chunkBytes / sidecarWindow);
  for (let at = 0; at + blockBytes < bodyEnd; at += sidecarWindow, entry += 1) {
    const expected = sidecar.subarray(entry * macBytes, (entry + 1) * macBytes);
    const end = at + sidecarWindow + blockBytes;
    // Clients differ in whether the last entry also covers the file's MAC.
    const covered = [Math.min(end, bodyEnd), Math.min(end, chained.length)];
    if (!covered.some((to) => hasMac(macKey, expected, chained.subarray(at, to)))) throw new FileMismatch("sidecar does not match");
  }
}

function requireMac(macKey: Buffer, expected: Buffer, bytes: Buffer): void {
  if (!hasMac(macKey, expected, bytes)) throw new FileMismatch("MAC does not match");
}

function hasMac(macKey: Buffer, expected: Buffer, bytes: Buffer): boolean {
  const mac = createHmac("sha256", macKey).update(bytes).digest().subarray(0, macBytes);
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}

function checkHash({ plainHash }: FileFacts, plain: Buffer): void {
  if (plainHash.length > 0 && !createHash("sha256").update(plain).digest().equals(plainHash)) throw new FileMismatch("hash does not match");
}

function expand({ mediaKey, kind }: FileFacts): { readonly iv: Buffer; readonly cipherKey: Buffer; readonly macKey: Buffer } {
  const expanded = Buffer.from(hkdfSync("sha256", mediaKey, "", `WhatsApp ${MEDIA_HKDF_KEY_MAPPING[kind]} Keys`, 112));
  return { iv: expanded.subarray(0, 16), cipherKey: expanded.subarray(16, 48), macKey: expanded.subarray(48, 80) };
}
