import { fileFromUrl } from "../../../shared/contract/whatsapp/errors.js";
import { DownloadError } from "../../download/download-error.js";
import { type DownloadedFile, type DownloadPort } from "../ports.js";

export interface Fetching {
  readonly downloads: DownloadPort;
  /** Id of the session. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Runs with the downloaded file of a caller's URL and removes the file in any case. Throws `error parser file from url <detail>`. */
export async function withFile<T>({ downloads, key, signal }: Fetching, url: string, maxBytes: number, use: (file: DownloadedFile) => Promise<T>): Promise<T> {
  const file = await downloads.download(url, { key, maxBytes, signal }).catch((error: unknown) => {
    throw error instanceof DownloadError ? fileFromUrl(error.detail, error) : error;
  });
  try {
    return await use(file);
  } finally {
    await file.dispose();
  }
}

/** What the platform's own clients take at most. */
export const imageMaxBytes = 20 * 1024 * 1024;
export const mediaMaxBytes = 100 * 1024 * 1024;
export const thumbnailMaxBytes = 5 * 1024 * 1024;
