import { createHash, hash, timingSafeEqual } from "node:crypto";
import { decryptIge } from "./ige-decryption.js";

/** One encrypted message of the platform without its head, and the values that open it. */
export interface SealedMessage {
  /** AES-256-IGE; a multiple of 16 bytes. */
  readonly cipherText: Buffer;
  readonly key: Buffer;
  readonly iv: Buffer;
  /** 32 bytes of the connection's key. The message key is a digest of these and the text. */
  readonly salt: Buffer;
  /** 16 bytes of the message's head. */
  readonly messageKey: Buffer;
}

/** Decrypts in place. Returns the plain text, padding included; `undefined` when it does not match the message key. */
export function openMessage({ cipherText, key, iv, salt, messageKey }: SealedMessage): Buffer | undefined {
  const plainText = decryptIge(key, iv, cipherText, cipherText);
  // A copy of a small text costs less than a digest object; a part of a file is not copied.
  const digest =
    plainText.length <= smallBytes
      ? hash("sha256", Buffer.concat([salt, plainText]), "buffer")
      : createHash("sha256").update(salt).update(plainText).digest();
  return timingSafeEqual(digest.subarray(8, 24), messageKey) ? plainText : undefined;
}

const smallBytes = 4_096;
