/** What the adapter needs of the render pool: encoded pictures in, JPEG out. Rejects with an error that has a public `detail`. */
export interface ImagePort {
  /** JPEG of a text story, 1080 x 1920. */
  textCard(text: string, signal?: AbortSignal): Promise<Buffer>;
  /** JPEG of a picture (its bytes, or the path of its file), no side over 1080 pixels. */
  scaleImage(source: Uint8Array | string, signal?: AbortSignal): Promise<{ bytes: Buffer; width: number; height: number }>;
  /** JPEG of a picture, no side over `maxSide` pixels. */
  thumbnail(source: Uint8Array | string, maxSide?: number, signal?: AbortSignal): Promise<{ bytes: Buffer; width: number; height: number }>;
}

/** First frame of a video file. */
export interface VideoPort {
  firstFrame(path: string, signal?: AbortSignal): Promise<Buffer>;
}

/** What the adapter needs of downloads: a URL becomes a file of ours, which is gone after `dispose`. Rejects with an error that has a public `detail`. */
export interface DownloadPort {
  download(url: string, options: { maxBytes: number; signal: AbortSignal }): Promise<DownloadedFile>;
}

export interface DownloadedFile {
  readonly path: string;
  readonly size: number;
  /** Bytes from `offset`, fewer than `length` only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  dispose(): Promise<void>;
}
