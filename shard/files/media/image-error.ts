/** The reasons that a caller may read when a picture could not be made. */
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
 * A picture that could not be made. `detail` is public: it follows `error compress image: `. The library's message stays in `cause`,
 * because it may hold paths.
 */
export class ImageError extends Error {
  constructor(
    readonly detail: ImageFault,
    cause?: unknown,
  ) {
    super(detail, { cause });
    this.name = "ImageError";
  }

  /** Returns the detail, and for an unsupported format the type that was found. */
  sentence(found: string | undefined): string {
    return found !== undefined && /^unsupported/.test(this.detail) ? `${this.detail}, found ${found}` : this.detail;
  }
}
