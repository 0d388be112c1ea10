/** What a media link names: `photo` largest size, `thumb` thumbnail, `file` video/sticker/document, `profile` small profile photo. */
export const mediaVariants = ["photo", "thumb", "file", "profile"] as const;
export type MediaVariant = (typeof mediaVariants)[number];

/** What a link names, after its signature was verified. `messageId` holds the photo id for `profile`. */
export interface MediaAddress {
  chatId: string;
  messageId: string;
  variant: MediaVariant;
}

/** Everything that answers a range without the shard. Cached under `media-description:` for a sliding hour. */
export interface MediaDescription {
  /** Bytes of the whole file. */
  size: number;
  mimetype: string;
  /** Strong entity tag without quotes: changes with the file's bytes. */
  etag: string;
  /** 32 hex digits: first 16 bytes of SHA-256 of the platform's file id and variant. */
  fileKey: string;
  /** File name for Content-Disposition; empty when there is none. */
  name: string;
}

export interface ReadChunkInput extends MediaAddress {
  fileKey: string;
  etag: string;
  /** Number of the 512 KiB chunk, from 0. */
  chunk: number;
  /** Bytes that the router expects: a chunk of this length that has come into the cache meanwhile is not fetched again. */
  length?: number;
}

/** A receipt: the bytes travel through the chunk cache, never through a stream. */
export interface ReadChunkOutput {
  length: number;
}
