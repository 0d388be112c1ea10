import type { BlobKind, PhoneBlob } from "../whatsapp-backend.js";
import { storeEncrypted } from "./encrypted-file.js";
import type { MediaStore } from "./media-store.js";

const purposes: Readonly<Record<BlobKind, string>> = { history: "WhatsApp History Keys", "app-state": "WhatsApp App State Keys" };

/** Uploads data that a phone cannot fit into a message to its companions, encrypted like any file. */
export async function storeBlob(store: MediaStore, kind: BlobKind, plain: Buffer): Promise<PhoneBlob> {
  const { mediaKey, directPath, fileSha256, fileEncSha256 } = await storeEncrypted(store, plain, { purpose: purposes[kind] });
  return { mediaKey, directPath, fileSha256, fileEncSha256, size: plain.length };
}
