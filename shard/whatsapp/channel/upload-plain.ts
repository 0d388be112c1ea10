import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Client } from "../client.js";
import type { DownloadedFile } from "../../files/media/ports.js";
import type { MediaFields } from "../media/media-content.js";
import { uploadFile } from "../media/upload-file.js";

/** The location of a channel's uploaded, unencrypted file, named as in the platform's messages. */
export interface PlainUpload {
  readonly directPath: string;
  readonly fileSha256: Buffer;
  readonly fileLength: number;
  readonly thumbnailDirectPath?: string;
  readonly thumbnailSha256?: Buffer;
  /** Names the upload in the stanza of the message. */
  readonly handle: string;
}

/** Uploads a file unencrypted, streamed from disk. Rejects like `uploadFile`. */
export async function uploadPlain(
  client: Client,
  type: MediaFields["type"],
  file: DownloadedFile,
  signal: AbortSignal,
): Promise<PlainUpload> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(file.path), digest, { signal });
  const fileSha256 = digest.digest();
  const token = fileSha256.toString("base64url");
  const {
    direct_path: directPath,
    handle = "",
    thumbnail_info: thumbnail,
  } = await uploadFile({
    hosts: client.mediaHosts,
    agent: client.mediaAgent,
    signal,
    file,
    target: (auth) => `/newsletter/newsletter-${type}/${token}?auth=${auth}&token=${token}&server_thumb_gen=1`,
  });
  return {
    directPath,
    fileSha256,
    fileLength: file.size,
    ...(thumbnail?.thumbnail_direct_path ? { thumbnailDirectPath: thumbnail.thumbnail_direct_path } : {}),
    ...(thumbnail?.thumbnail_sha256 ? { thumbnailSha256: Buffer.from(thumbnail.thumbnail_sha256, "base64") } : {}),
    handle,
  };
}
