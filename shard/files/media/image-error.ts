/** Everything a caller may be told about a picture that could not be made. */
export type ImageFault =
  | "unsupported image format"
  | "unsupported video format"
  | "image is damaged"
  | "image is too large"
  | "video could not be read"
  | "timeout"
  | "worker exited"
  | "render queue is full"
  | "render pool is stopped";

/**
 * A picture that could not be made. `detail` is public: it follows `error compress image: `.
 * The library's own words stay in `cause`, they may hold paths.
 */
export class ImageError extends Error {
  constructor(
    readonly detail: ImageFault,
    cause?: unknown,
  ) {
    super(detail, { cause });
    this.name = "ImageError";
  }

  /** The detail, and for a format that cannot be read what it is. */
  sentence(found: string | undefined): string {
    return found !== undefined && /^unsupported/.test(this.detail) ? `${this.detail}, found ${found}` : this.detail;
  }
}
