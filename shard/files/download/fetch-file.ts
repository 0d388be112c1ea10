import { fileFromUrl, serverBusy } from "../../../shared/contract/errors.js";
import { DownloadError } from "./download-error.js";

/** `F` is what the caller's platform wants to know of a file. */
export interface Fetching<F extends Disposable> {
  readonly downloads: {
    download(url: string, request: { readonly key: string; readonly maxBytes: number; readonly signal: AbortSignal }): Promise<F>;
  };
  /** Id of the session. */
  readonly key: string;
  readonly signal: AbortSignal;
}

interface Disposable {
  dispose(): Promise<void>;
}

/** Runs with the downloaded file of a caller's URL and removes the file in any case. Throws `error parser file from url <detail>`, or 503 when its line or our disk is full. */
export async function withFile<T, F extends Disposable>(
  { downloads, key, signal }: Fetching<F>,
  url: string,
  maxBytes: number,
  use: (file: F) => Promise<T>,
): Promise<T> {
  const file = await downloads.download(url, { key, maxBytes, signal }).catch((error: unknown) => {
    if (!(error instanceof DownloadError)) throw error;
    throw error.detail === "too many downloads" ? serverBusy(error) : fileFromUrl(error.sentence, error);
  });
  try {
    return await use(file);
  } finally {
    await file.dispose();
  }
}

/** What the platforms' own clients take at most. */
export const imageMaxBytes = 20 * 1024 * 1024;
export const mediaMaxBytes = 100 * 1024 * 1024;
export const thumbnailMaxBytes = 5 * 1024 * 1024;
