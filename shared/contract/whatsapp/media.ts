import type { MediaVariant } from "../media.js";

/** Variants of a WhatsApp link: `file` is the whole file, `thumb` its uploaded thumbnail. */
export const whatsappVariants = ["file", "thumb"] as const satisfies readonly MediaVariant[];

/** Kinds of files, each with its own encryption keys. A sealed link stores the position in this list, so append only. */
export const fileKinds = [
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "thumbnail-image",
  "thumbnail-video",
  "thumbnail-document",
] as const;
export type FileKind = (typeof fileKinds)[number];

/** What a file's message says about the file. A link holds all of it, so nothing is stored per message. */
export interface FileFacts {
  readonly kind: FileKind;
  /** Bytes of the plain file; 0 if the message does not say it. */
  readonly length: number;
  /** Path and query on every media host. */
  readonly directPath: string;
  /** 32 bytes; empty for a channel's file, which is not encrypted. */
  readonly mediaKey: Buffer;
  /** SHA-256 of the encrypted file, with its MAC; may be empty. */
  readonly encryptedHash: Buffer;
  /** SHA-256 of the plain file; may be empty. */
  readonly plainHash: Buffer;
  /** A MAC of 10 bytes for each 64 KiB; empty if there is none, or if it does not fit into the link. */
  readonly sidecar: Buffer;
  readonly mimetype: string;
  readonly name: string;
  /** JID of the sender in a group; empty elsewhere. */
  readonly author: string;
  readonly fromMe: boolean;
}
