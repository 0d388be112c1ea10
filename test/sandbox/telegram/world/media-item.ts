import { syntheticBytes } from "../../files/synthetic-bytes.js";

export type MediaKind = "photo" | "sticker" | "video" | "document" | "audio";

/** Content in memory, computable content, or discarded content of a known size. */
export type Content = { readonly kind: "bytes"; readonly bytes: Buffer } | Synthetic | Dropped;

interface Synthetic {
  readonly kind: "synthetic";
  readonly fileId: string;
  readonly size: number;
}

interface Dropped {
  readonly kind: "dropped";
  readonly size: number;
}

/** One size of a photo, or a thumbnail of a document. */
export interface PhotoVariant {
  /** The platform's letter: m 320, x 800, y 1280, w 2560 pixels. */
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly content: Content;
}

export interface MediaItem {
  readonly id: number;
  readonly kind: MediaKind;
  readonly dcId: number;
  readonly date: number;
  readonly mimetype: string;
  /** The file's content; for a photo, its largest size. */
  readonly content: Content;
  readonly variants: readonly PhotoVariant[];
  readonly width: number;
  readonly height: number;
  /** Seconds, for videos and audio. */
  readonly duration: number;
  readonly fileName: string | undefined;
  readonly voice?: boolean;
  /** Base64; set for voice messages only. */
  readonly waveform?: string;
  /** True for a round video message. */
  readonly round?: boolean;
  /** True for a GIF, or a silent video that is shown like one. */
  readonly animated?: boolean;
  /** Title and performer are set for music only. */
  readonly title?: string;
  readonly performer?: string;
}

/** A file without its bytes, as the snapshot stores it. */
export type MediaOutline = Omit<MediaItem, "content" | "variants"> & {
  readonly content: Dropped | Synthetic;
  readonly variants: readonly (Omit<PhotoVariant, "content"> & { readonly content: Dropped | Synthetic })[];
};

export function outlineOf(item: MediaItem): MediaOutline {
  const drop = (content: Content): Dropped | Synthetic =>
    content.kind === "bytes" ? { kind: "dropped", size: content.bytes.length } : content;
  return {
    ...item,
    content: drop(item.content),
    variants: item.variants.map((variant) => ({ ...variant, content: drop(variant.content) })),
  };
}

export function sizeOf(content: Content): number {
  return content.kind === "bytes" ? content.bytes.length : content.size;
}

/** Returns up to `length` bytes at `offset`, fewer at the end, or `undefined` if the bytes are no longer stored. */
export function readContent(content: Content, offset: number, length: number): Buffer | undefined {
  switch (content.kind) {
    case "bytes":
      return content.bytes.subarray(offset, offset + length);
    case "synthetic":
      return syntheticBytes(content.fileId, offset, Math.max(0, Math.min(length, content.size - offset)));
    case "dropped":
      return undefined;
    default:
      return content satisfies never;
  }
}
