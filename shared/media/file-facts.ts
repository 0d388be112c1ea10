import type { MediaVariant } from "../contract/media.js";
import { packFields, readFields } from "./packed-fields.js";

/** Variants of a sealed link: `file` is the whole file, `thumb` its uploaded thumbnail. */
export const sealedVariants = ["file", "thumb"] as const satisfies readonly MediaVariant[];

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

/** Packs the facts for a link: a fixed head, then each field after its length in two bytes. */
export function packFacts(facts: FileFacts): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version, 0);
  head.writeUInt8(fileKinds.indexOf(facts.kind), 1);
  head.writeUInt8(facts.fromMe ? 1 : 0, 2);
  head.writeUIntBE(facts.length, 3, 6);
  const fields = [
    facts.mediaKey,
    facts.encryptedHash,
    facts.plainHash,
    facts.sidecar,
    ...[facts.directPath, facts.mimetype, facts.name, facts.author].map((text) => Buffer.from(text)),
  ];
  return Buffer.concat([head, packFields(fields)]);
}

/** Returns the facts, or `undefined` if another version packed them. */
export function unpackFacts(packed: Buffer): FileFacts | undefined {
  if (packed.length < headBytes || packed.readUInt8(0) !== version) return undefined;
  const kind = fileKinds[packed.readUInt8(1)];
  const fields = readFields(packed.subarray(headBytes));
  if (kind === undefined || fields?.length !== fieldCount) return undefined;
  const [mediaKey = none, encryptedHash = none, plainHash = none, sidecar = none, ...texts] = fields;
  const [directPath = "", mimetype = "", name = "", author = ""] = texts.map(String);
  const fromMe = packed.readUInt8(2) === 1;
  const length = packed.readUIntBE(3, 6);
  return { kind, length, directPath, mediaKey, encryptedHash, plainHash, sidecar, mimetype, name, author, fromMe };
}

const version = 1;
const headBytes = 9;
const fieldCount = 8;
const none = Buffer.alloc(0);
