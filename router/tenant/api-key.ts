import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits behind a prefix by which people and secret scanners recognize a key. */
export function newApiKey(): string {
  return `tl_${randomBytes(32).toString("base64url")}`;
}

/** Returns whether a text has the form of such a key. */
export function looksLikeApiKey(text: string): boolean {
  return /^tl_[A-Za-z0-9_-]{43}$/.test(text);
}

/** Returns a public id for a key: 4 bytes of seconds, so that ids sort by creation, then 6 random bytes. */
export function newKeyId(now: number): string {
  const seconds = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, "0");
  return seconds + randomBytes(6).toString("hex");
}

export function isKeyId(value: string): boolean {
  return /^[0-9a-f]{20}$/.test(value);
}

/** Returns the stored form of a key. */
export function hashOfKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
