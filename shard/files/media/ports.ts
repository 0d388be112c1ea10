/** What a platform's adapter needs of what all platforms share: pictures, films and downloads. */

/** Whose work it is (`key`: the session's id), and when nobody wants it any more. */
export interface RenderAsk {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** The render pool: pictures in, JPEG out. Rejects with ImageError. */
export interface ImagePort {
  /** JPEG of a picture (its bytes, or the path of its file), no side over 1080 pixels; the picture itself, which may be a PNG, where that is smaller. */
  scaleImage(source: Uint8Array | string, ask: RenderAsk): Promise<Picture>;
  /** JPEG of a picture, no side over `maxSide` pixels. */
  thumbnail(source: Uint8Array | string, maxSide: number, ask: RenderAsk): Promise<Picture>;
}

/** A platform on which a text story is a picture. */
export interface TextCardPort {
  /** The characters of a text story that no font has a shape for, each once. */
  undrawable(text: string): readonly string[];
  /** JPEG of a text story, 1080 x 1920. */
  textCard(text: string, ask: RenderAsk): Promise<Buffer>;
}

/** A picture, its size in pixels, and that of what it was made of, upright. */
export interface Picture {
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
  readonly original: { readonly width: number; readonly height: number };
}

/** First frame of a video file, no side over 320 pixels, and the size of the video as it is shown; `key` is the session's id. Rejects with ImageError. */
export interface VideoPort {
  read(
    path: string,
    request: { readonly key: string; readonly signal: AbortSignal },
  ): Promise<{ readonly jpeg: Buffer; readonly width: number; readonly height: number }>;
}

/** A URL becomes a file of ours, gone after `dispose`. Rejects with DownloadError. */
export interface DownloadPort {
  download(
    url: string,
    request: { readonly key: string; readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<DownloadedFile>;
}

export interface DownloadedFile extends UploadSource {
  readonly path: string;
  dispose(): Promise<void>;
}

/** Bytes that can be read in any order. */
export interface UploadSource {
  readonly size: number;
  /** Bytes from `offset`, fewer than `length` only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
}
