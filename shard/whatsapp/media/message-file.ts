import type { proto } from "@whiskeysockets/baileys";
import type { FileFacts, FileKind } from "../../../shared/media/file-facts.js";
import { plainType } from "../../files/download/media-type.js";
import { unwrapped } from "../message/unwrapped.js";

/** The file of a message, and its uploaded thumbnail. */
export interface MessageFile {
  readonly kind: "image" | "video" | "audio" | "document" | "sticker";
  /** Type without parameters, in lower case. */
  readonly mimetype: string;
  /** The document's file name; empty for other kinds. */
  readonly name: string;
  /** Bytes; 0 if the message does not say it. */
  readonly size: number;
  /** Absent if the message does not say where the file is. */
  readonly file?: SentFacts;
  /** Absent if the sender uploaded no thumbnail. */
  readonly thumb?: SentFacts;
}

/** The facts of a file that are in its message's content. */
export type SentFacts = Omit<FileFacts, "author" | "fromMe">;

/** Returns the file of a message; `undefined` if it has none, or if it may be viewed only once. */
export function fileOf(content: proto.IMessage): MessageFile | undefined {
  const { message, viewOnce } = unwrapped(content);
  if (viewOnce) return undefined;
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message;
  const video = videoMessage ?? ptvMessage;
  if (imageMessage) return toFile("image", "image/jpeg", imageMessage);
  if (video) return toFile("video", "video/mp4", video);
  if (audioMessage) return toFile("audio", "audio/ogg", audioMessage);
  if (documentMessage) return toFile("document", "application/octet-stream", documentMessage);
  if (stickerMessage) return toFile("sticker", "image/webp", stickerMessage);
  return undefined;
}

/** The fields that the platform's messages with files share. */
interface SentFile {
  readonly mimetype?: string | null;
  readonly fileName?: string | null;
  readonly title?: string | null;
  readonly fileLength?: number | { toNumber(): number } | null;
  readonly directPath?: string | null;
  readonly mediaKey?: Uint8Array | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
  readonly streamingSidecar?: Uint8Array | null;
  readonly thumbnailDirectPath?: string | null;
  readonly thumbnailSha256?: Uint8Array | null;
  readonly thumbnailEncSha256?: Uint8Array | null;
}

function toFile(kind: MessageFile["kind"], defaultType: string, sent: SentFile): MessageFile {
  const mimetype = bareType(sent.mimetype ?? "") || defaultType;
  const name = kind === "document" ? shortened(sent.fileName || sent.title || "", nameMax) : "";
  const size = lengthOf(sent.fileLength);
  const located = {
    kind,
    length: size,
    directPath: pathOf(sent.directPath),
    mediaKey: bytes(sent.mediaKey),
    encryptedHash: bytes(sent.fileEncSha256),
    plainHash: bytes(sent.fileSha256),
    sidecar: sidecarOf(sent.streamingSidecar, size),
    mimetype,
    name,
  };
  const thumb: SentFacts = {
    ...located,
    kind: thumbnailKinds[kind],
    length: 0,
    directPath: pathOf(sent.thumbnailDirectPath),
    encryptedHash: bytes(sent.thumbnailEncSha256),
    plainHash: bytes(sent.thumbnailSha256),
    sidecar: none,
    mimetype: "image/jpeg",
    name: "",
  };
  const hasThumb = isReadable(thumb) && thumb.plainHash.length === hashBytes;
  return { kind, mimetype, name, size, ...(isReadable(located) && { file: located }), ...(hasThumb && { thumb }) };
}

/** Other kinds have no thumbnail, so their entry is not used. */
const thumbnailKinds: Readonly<Record<MessageFile["kind"], FileKind>> = {
  image: "thumbnail-image",
  video: "thumbnail-video",
  audio: "thumbnail-image",
  document: "thumbnail-document",
  sticker: "thumbnail-image",
};

/** Without encryption, only the hash proves that the bytes are those of the message. */
function isReadable({ directPath, mediaKey, plainHash, encryptedHash }: SentFacts): boolean {
  const isEncrypted = mediaKey.length === hashBytes && encryptedHash.length === hashBytes;
  return directPath !== "" && (isEncrypted || (mediaKey.length === 0 && plainHash.length === hashBytes));
}

/** Bytes of a hash, and of a media key. */
const hashBytes = 32;
const none = Buffer.alloc(0);
const nameMax = 100;
/** A sender chooses the path, so only a plain one on the media host itself is used. */
const path = /^\/[\x21-\x7e]{1,600}$/;

/** Returns the path if it can be requested from a media host, else an empty text. */
export function pathOf(directPath: string | null | undefined): string {
  return directPath && path.test(directPath) ? directPath : "";
}

/** A field of another length is treated as absent. */
function bytes(field: Uint8Array | null | undefined): Buffer {
  return field?.length === hashBytes ? Buffer.from(field.buffer, field.byteOffset, hashBytes) : none;
}

/** A sidecar of another length cannot belong to a file of this size. Some clients add an entry for the file's MAC. */
function sidecarOf(sidecar: Uint8Array | null | undefined, size: number): Buffer {
  const expected = macBytes * Math.ceil((Math.floor(size / 16) + 1) / 4_096);
  if (!sidecar || expected > sidecarMax || (sidecar.length !== expected && sidecar.length !== expected + macBytes)) return none;
  return Buffer.from(sidecar.buffer, sidecar.byteOffset, expected);
}

const macBytes = 10;
/** Bytes; a longer one does not fit into a link. */
const sidecarMax = 1_024;

function lengthOf(length: SentFile["fileLength"]): number {
  const number = typeof length === "object" ? (length?.toNumber() ?? 0) : (length ?? 0);
  return Number.isSafeInteger(number) && number > 0 && number < 2 ** 48 ? number : 0;
}

function bareType(mimetype: string): string {
  return shortened(plainType(mimetype), nameMax);
}

/** Does not cut a character in two. */
export function shortened(text: string, max: number): string {
  return text.slice(0, max).replace(/\p{Surrogate}/gu, "");
}
