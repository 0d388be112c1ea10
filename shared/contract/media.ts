/**
 * Variants of a media link: `photo` is the largest size, `thumb` a thumbnail, `file` a video, sticker or document, `profile` a small
 * profile photo.
 */
export const mediaVariants = ["photo", "thumb", "file", "profile"] as const;
export type MediaVariant = (typeof mediaVariants)[number];

/** Target of a link whose signature was verified. `messageId` holds the photo id for `profile`. */
export interface MediaAddress {
  chatId: string;
  messageId: string;
  variant: MediaVariant;
  /** The link's last path segment, on a platform whose links hold the facts of their file. */
  sealed?: string;
}

/** What a router needs to serve ranges without the shard. Cached under `media-description:` for an hour after its last use. */
export interface MediaDescription {
  /** Bytes of the whole file. */
  size: number;
  mimetype: string;
  /** Strong entity tag without quotes. Changes with the file's bytes. */
  etag: string;
  /** 32 hex digits: the first 16 bytes of SHA-256 of the platform's file id and variant. */
  fileKey: string;
  /** File name for Content-Disposition; may be empty. */
  name: string;
}

export interface ReadChunkInput extends MediaAddress {
  fileKey: string;
  etag: string;
  /** Number of the 512 KiB chunk, from 0. */
  chunk: number;
  /** Bytes that the router expects; absent if it does not know the file's size. A cached chunk of this length is not fetched again. */
  length?: number;
}

/** A receipt: the bytes travel through the chunk cache, never through a stream. */
export interface ReadChunkOutput {
  length: number;
}
