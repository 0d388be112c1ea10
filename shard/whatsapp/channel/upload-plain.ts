import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { request } from "node:https";
import { pipeline } from "node:stream/promises";
import typia from "typia";
import type { Client } from "../client.js";
import type { DownloadedFile } from "../../media/ports.js";
import type { MediaFields } from "../media/media-content.js";
import { UploadFailed } from "../network/connection-error.js";

/** Where an unencrypted file of a channel lies now, in the names of the platform's messages. */
export interface PlainUpload {
  readonly directPath: string;
  readonly fileSha256: Buffer;
  readonly fileLength: number;
  readonly thumbnailDirectPath?: string;
  readonly thumbnailSha256?: Buffer;
  /** Names the upload in the stanza of the message. */
  readonly handle: string;
}

/** Uploads a file as it is, streamed from disk, to the first media host that takes it. Rejects with the library's words when none does. */
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
  const { hosts, auth } = await client.mediaHosts.find();
  let reason: unknown;
  for (const { hostname } of hosts) {
    try {
      const url = `https://${hostname}/newsletter/newsletter-${type}/${token}?auth=${encodeURIComponent(auth)}&token=${token}&server_thumb_gen=1`;
      const { direct_path: directPath, handle = "", thumbnail_info: thumbnail } = await post(url, client, file, signal);
      return {
        directPath,
        fileSha256,
        fileLength: file.size,
        ...(thumbnail?.thumbnail_direct_path ? { thumbnailDirectPath: thumbnail.thumbnail_direct_path } : {}),
        ...(thumbnail?.thumbnail_sha256 ? { thumbnailSha256: Buffer.from(thumbnail.thumbnail_sha256, "base64") } : {}),
        handle,
      };
    } catch (error) {
      signal.throwIfAborted();
      reason = error;
    }
  }
  throw new UploadFailed(reason);
}

interface UploadAnswer {
  direct_path: string;
  handle?: string;
  thumbnail_info?: { thumbnail_direct_path?: string; thumbnail_sha256?: string };
}

const parseAnswer = typia.json.createIsParse<UploadAnswer>();
const answerMaxBytes = 64 * 1024;
const idleMs = 60_000;

async function post(url: string, client: Client, file: DownloadedFile, signal: AbortSignal): Promise<UploadAnswer> {
  const answer = await new Promise<string>((resolve, reject) => {
    const upload = request(
      url,
      {
        method: "POST",
        agent: client.mediaAgent,
        timeout: idleMs,
        signal,
        headers: { "content-type": "application/octet-stream", "content-length": file.size, origin: "https://web.whatsapp.com" },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
          if (text.length > answerMaxBytes) upload.destroy(new Error("answer is too large"));
        });
        response.once("end", () =>
          response.statusCode === 200 ? resolve(text) : reject(new Error(`media host answered ${response.statusCode}`)),
        );
        response.on("error", reject);
      },
    );
    upload.on("error", reject);
    upload.once("timeout", () => upload.destroy(new Error("media host is silent")));
    pipeline(createReadStream(file.path), upload, { signal }).catch(reject);
  });
  const parsed = parseAnswer(answer);
  if (parsed === null) throw new Error("answer of the media host is not understood");
  return parsed;
}
