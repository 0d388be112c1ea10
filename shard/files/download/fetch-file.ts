import { fileFromUrl, serverBusy } from "../../../shared/contract/errors.js";
import { DownloadError } from "./download-error.js";

/** `F` is the file type that the caller's platform uses. */
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

/**
 * Downloads a caller's URL, runs `use` with the file, and always removes the file. Throws `error parser file from url <detail>`, or 503
 * when the download queue or our disk is full.
 */
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

/** The limits of the platforms' own clients. */
export const imageMaxBytes = 20 * 1024 * 1024;
export const mediaMaxBytes = 100 * 1024 * 1024;
export const thumbnailMaxBytes = 5 * 1024 * 1024;
