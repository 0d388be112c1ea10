import { createDecipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { type DownloadableMessage, getMediaKeys, type MediaType } from "@whiskeysockets/baileys";
import sharp from "sharp";
import type { ReceivedFile } from "../world/received.js";
import { hashOfPath } from "./media-server.js";
import type { MediaStore, StoredMedia } from "./media-store.js";

/** The fields of a message that describe its file. */
export interface MediaReference extends DownloadableMessage {
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
  readonly fileLength?: unknown;
  readonly mimetype?: string | null;
}

const macBytes = 10;
const maxDecodedBytes = 32 * 1_024 * 1_024;
const maxPixels = 64_000_000;

interface Plain {
  readonly sha256: Buffer;
  readonly size: number;
  /** Present for pictures below a size limit. */
  readonly bytes: Buffer | undefined;
}

/** Reads a message's file from the store, verifies it and decrypts it, as the recipient's phone does. */
export class MediaReader {
  constructor(private readonly store: MediaStore) {}

  async read(reference: MediaReference, type: MediaType): Promise<ReceivedFile> {
    const problems: string[] = [];
    const mimetype = reference.mimetype ?? "";
    const path = reference.directPath || (URL.canParse(reference.url ?? "") ? new URL(reference.url ?? "").pathname : "");
    const stored = this.store.get(hashOfPath(path) ?? Buffer.alloc(0));
    if (stored === undefined) return { sha256: "", size: 0, mimetype, problems: ["the file is not on the media server"] };
    const isPicture = type === "image" || type === "sticker";
    const plain = reference.mediaKey
      ? await this.decrypted(stored, reference, type, isPicture, problems)
      : await this.plain(stored, isPicture);
    if (plain === undefined) return { sha256: "", size: 0, mimetype, problems };
    if (!sameBytes(plain.sha256, reference.fileSha256)) problems.push("fileSha256 is not the content's");
    if (Number(reference.fileLength ?? 0) !== plain.size)
      problems.push(`fileLength is ${String(reference.fileLength)}, the content has ${plain.size}`);
    return {
      sha256: plain.sha256.toString("hex"),
      size: plain.size,
      mimetype,
      ...(plain.bytes && (await pixelsOf(plain.bytes))),
      ...(problems.length > 0 && { problems }),
    };
  }

  /** Decrypts AES-256-CBC and verifies the first ten bytes of an HMAC over IV and ciphertext. */
  private async decrypted(
    stored: StoredMedia,
    reference: MediaReference,
    type: MediaType,
    keep: boolean,
    problems: string[],
  ): Promise<Plain | undefined> {
    const { iv, cipherKey, macKey } = await getMediaKeys(reference.mediaKey, type);
    if (macKey === undefined || stored.size <= macBytes) {
      problems.push("the file is too short to be encrypted");
      return undefined;
    }
    if (!sameBytes(stored.sha256, reference.fileEncSha256)) problems.push("fileEncSha256 is not the file's");
    const mac = createHmac("sha256", macKey).update(iv);
    const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
    const collector = new Collector(keep);
    const bodyBytes = stored.size - macBytes;
    const tail: Buffer[] = [];
    let position = 0;
    try {
      for await (const chunk of createReadStream(stored.path)) {
        const bytes: Buffer = chunk;
        const body = bytes.subarray(0, Math.max(0, bodyBytes - position));
        if (body.length < bytes.length) tail.push(bytes.subarray(body.length));
        position += bytes.length;
        mac.update(body);
        collector.add(decipher.update(body));
      }
      collector.add(decipher.final());
    } catch {
      problems.push("the file does not decrypt");
      return undefined;
    }
    if (!sameBytes(mac.digest().subarray(0, macBytes), Buffer.concat(tail))) problems.push("the file's MAC is wrong");
    return collector.plain();
  }

  private async plain(stored: StoredMedia, keep: boolean): Promise<Plain> {
    const collector = new Collector(keep);
    for await (const chunk of createReadStream(stored.path)) collector.add(chunk);
    return collector.plain();
  }
}

/** Returns the size and type of a message's thumbnail. */
export async function thumbnailOf(bytes: Uint8Array | null | undefined): Promise<ReceivedFile | undefined> {
  if (bytes == null || bytes.length === 0) return undefined;
  const buffer = Buffer.from(bytes);
  return {
    sha256: createHash("sha256").update(buffer).digest("hex"),
    size: buffer.length,
    mimetype: buffer.readUInt16BE(0) === 0xffd8 ? "image/jpeg" : "",
    ...(await pixelsOf(buffer)),
  };
}

class Collector {
  private readonly hash = createHash("sha256");
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly keep: boolean) {}

  add(bytes: Buffer): void {
    this.hash.update(bytes);
    this.size += bytes.length;
    if (this.keep && this.size <= maxDecodedBytes) this.chunks.push(bytes);
  }

  plain(): Plain {
    return {
      sha256: this.hash.digest(),
      size: this.size,
      bytes: this.keep && this.size <= maxDecodedBytes ? Buffer.concat(this.chunks) : undefined,
    };
  }
}

/** Decodes the whole picture, because a valid header proves nothing. */
async function pixelsOf(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  try {
    const { info } = await sharp(bytes, { limitInputPixels: maxPixels }).raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height };
  } catch {
    return undefined; // Not a picture: the recipient sees a grey box.
  }
}

function sameBytes(own: Buffer, other: Uint8Array | null | undefined): boolean {
  return other != null && own.length === other.length && timingSafeEqual(own, other);
}
