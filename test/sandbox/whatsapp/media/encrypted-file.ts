import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pathOf } from "./media-server.js";
import type { MediaStore } from "./media-store.js";

const macBytes = 10;
const ivBytes = 16;
const sidecarChunkBytes = 65_536;

export interface EncryptedFile {
  readonly mediaKey: Buffer;
  readonly directPath: string;
  /** Hash of the content. */
  readonly fileSha256: Buffer;
  /** Hash of the stored bytes. */
  readonly fileEncSha256: Buffer;
  /** Lets a reader verify any part of the stored bytes: ten bytes of an HMAC for each 64 KiB. */
  readonly streamingSidecar: Buffer;
}

export interface EncryptionOptions {
  /** Kind of file in the key derivation, such as `WhatsApp Image Keys`. */
  readonly purpose: string;
  /** Default: a new random key. */
  readonly mediaKey?: Buffer;
}

/** Encrypts a file as phones do (AES-256-CBC, then ten bytes of an HMAC over IV and ciphertext) and stores it on the media server. */
export async function storeEncrypted(
  store: MediaStore,
  plain: Buffer,
  { purpose, mediaKey = randomBytes(32) }: EncryptionOptions,
): Promise<EncryptedFile> {
  const keys = Buffer.from(hkdfSync("sha256", mediaKey, Buffer.alloc(32), purpose, 112));
  const [iv, cipherKey, macKey] = [keys.subarray(0, 16), keys.subarray(16, 48), keys.subarray(48, 80)];
  const cipher = createCipheriv("aes-256-cbc", cipherKey, iv);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac("sha256", macKey).update(iv).update(encrypted).digest().subarray(0, macBytes);
  const stored = Buffer.concat([encrypted, mac]);
  const media = await store.put(Readable.from([stored]));
  return {
    mediaKey,
    directPath: pathOf(media),
    fileSha256: createHash("sha256").update(plain).digest(),
    fileEncSha256: media.sha256,
    streamingSidecar: sidecarOf(Buffer.concat([iv, stored]), macKey),
  };
}

/** Signs each 64 KiB of IV and stored bytes, together with the 16 bytes after them: the last cipher block, which is the next chunk's IV. */
function sidecarOf(bytes: Buffer, macKey: Buffer): Buffer {
  const signatures: Buffer[] = [];
  for (let start = 0; start === 0 || start + ivBytes <= bytes.length; start += sidecarChunkBytes) {
    const chunk = bytes.subarray(start, start + sidecarChunkBytes + ivBytes);
    signatures.push(createHmac("sha256", macKey).update(chunk).digest().subarray(0, macBytes));
  }
  return Buffer.concat(signatures);
}
