import { createHash, timingSafeEqual } from "node:crypto";
import { decryptIge } from "./ige-decryption.js";

/** One encrypted message of the platform, without its head, and what belongs to it. */
export interface SealedMessage {
  /** AES-256-IGE; a multiple of 16 bytes. */
  readonly cipherText: Buffer;
  readonly key: Buffer;
  readonly iv: Buffer;
  /** What the message key is a digest of, beside the text: 32 bytes of the connection's key. */
  readonly salt: Buffer;
  /** 16 bytes out of the message's head. */
  readonly messageKey: Buffer;
}

/** The plain text, padding included; `undefined` when it is not what the message key says. */
export function openMessage({ cipherText, key, iv, salt, messageKey }: SealedMessage): Buffer | undefined {
  const plainText = decryptIge(key, iv, cipherText);
  const digest = createHash("sha256").update(salt).update(plainText).digest();
  return timingSafeEqual(digest.subarray(8, 24), messageKey) ? plainText : undefined;
}
