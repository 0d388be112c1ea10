import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { BlobKind, PhoneBlob } from "../whatsapp-backend.js";
import { pathOf } from "./media-server.js";
import type { MediaStore } from "./media-store.js";

const info: Readonly<Record<BlobKind, string>> = { history: "WhatsApp History Keys", "app-state": "WhatsApp App State Keys" };

/**
 * Uploads data that a phone cannot fit into a message to its companions, encrypted like any file (AES-256-CBC, then 10 bytes of an HMAC).
 */
export async function storeBlob(store: MediaStore, kind: BlobKind, plain: Buffer): Promise<PhoneBlob> {
  const mediaKey = randomBytes(32);
  const keys = Buffer.from(hkdfSync("sha256", mediaKey, Buffer.alloc(32), info[kind], 112));
  const [iv, cipherKey, macKey] = [keys.subarray(0, 16), keys.subarray(16, 48), keys.subarray(48, 80)];
  const cipher = createCipheriv("aes-256-cbc", cipherKey, iv);
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac("sha256", macKey).update(iv).update(encrypted).digest().subarray(0, 10);
  const media = await store.put(Readable.from([Buffer.concat([encrypted, mac])]));
  return {
    mediaKey,
    directPath: pathOf(media),
    fileSha256: createHash("sha256").update(plain).digest(),
    fileEncSha256: media.sha256,
    size: plain.length,
  };
}
