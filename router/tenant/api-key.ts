import { createHash, randomBytes } from "node:crypto";

/** 256 random bits behind a prefix by which people, and scanners for leaked secrets, know what it is. */
export function newApiKey(): string {
  return `tl_${randomBytes(32).toString("base64url")}`;
}

/** Whether a text may be such a key. */
export function looksLikeApiKey(text: string): boolean {
  return /^tl_[A-Za-z0-9_-]{43}$/.test(text);
}

/** Of a key, not secret: 4 bytes of seconds, so that ids sort by creation, then 6 random bytes. */
export function newKeyId(now: number): string {
  const seconds = Math.floor(now / 1000)
    .toString(16)
    .padStart(8, "0");
  return seconds + randomBytes(6).toString("hex");
}

export function isKeyId(value: string): boolean {
  return /^[0-9a-f]{20}$/.test(value);
}

/** What is kept of a key. */
export function hashOfKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
