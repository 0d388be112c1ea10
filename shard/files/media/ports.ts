/** The shared parts that a platform's adapter needs: pictures, videos and downloads. */

/** `key` is the id of the session that owns the work; `signal` aborts when the caller no longer needs it. */
export interface RenderRequest {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** The render pool makes JPEGs of pictures. Rejects with ImageError. */
export interface ImagePort {
  /**
   * Returns the JPEG of a picture (its bytes, or the path of its file), no side over 1080 pixels; the picture itself, which may be a PNG,
   * if that is smaller.
   */
  scaleImage(source: Uint8Array | string, request: RenderRequest): Promise<Picture>;
  /** Returns the JPEG of a picture, no side over `maxSide` pixels. */
  thumbnail(source: Uint8Array | string, maxSide: number, request: RenderRequest): Promise<Picture>;
  /** Returns the WebP of a picture, a transparent square of 512 pixels. */
  sticker(source: Uint8Array | string, request: RenderRequest): Promise<Picture>;
  /** Returns the JPEG of a picture's middle, a square of 640 pixels, for profiles, groups and channels. */
  square(source: Uint8Array | string, request: RenderRequest): Promise<Picture>;
}

/** For a platform on which a text story is a picture. */
export interface TextCardPort {
  /** Returns the characters of a text story that no font has a shape for, each once. */
  undrawable(text: string): readonly string[];
  /** Returns the JPEG of a text story, 1080 x 1920. */
  textCard(text: string, request: RenderRequest): Promise<Buffer>;
}

/** A picture, its size in pixels, and the upright size of its source. */
export interface Picture {
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly width: number;
  readonly height: number;
  readonly original: { readonly width: number; readonly height: number };
}

/**
 * Reads the first frame of a video file, no side over 320 pixels, and the video's size as shown. `key` is the session's id. Rejects with
 * ImageError.
 */
export interface VideoPort {
  read(
    path: string,
    request: { readonly key: string; readonly signal: AbortSignal },
  ): Promise<{ readonly jpeg: Buffer; readonly width: number; readonly height: number }>;
}

/** Downloads a URL to a file of ours, which `dispose` removes. Rejects with DownloadError. */
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
  /** Returns bytes from `offset`, fewer than `length` only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
}
