import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { proto } from "@whiskeysockets/baileys";
import sharp from "sharp";
import { ControlError } from "../../control/control-error.js";
import type { Doc } from "../../control/platform-control.js";
import type { SampleFiles } from "../../files/sample-files.js";
import { syntheticBytes } from "../../files/synthetic-bytes.js";
import { storeEncrypted } from "../media/encrypted-file.js";
import { pathOf } from "../media/media-server.js";
import type { MediaStore } from "../media/media-store.js";
import { unixSeconds } from "../protocol/node.js";
import { type FileKind, type FileShape, shapeOf } from "./file-shapes.js";

export interface Attachment {
  readonly message: proto.IMessage;
  /** The file for the control API's response. */
  readonly media?: Doc;
}

export interface AttachmentTools {
  readonly samples: SampleFiles;
  readonly store: MediaStore;
  /** Host and port of the media server. */
  readonly mediaHost: () => string;
}

export interface FileOptions {
  readonly caption: string;
  /** Bytes of a new file with computable content, in place of the sample. */
  readonly size: number | undefined;
  readonly viewOnce: boolean;
  /** Files in channels are not encrypted. */
  readonly isPublic: boolean;
}

const maxSizeBytes = 100 * 1_024 * 1_024;
const thumbnailPx = 72;

/** Makes the messages with which people send files. Each file is stored on the media server. */
export class Attachments {
  private thumbnail: Promise<Buffer> | undefined;

  constructor(private readonly tools: AttachmentTools) {}

  async file(kind: FileKind, options: FileOptions): Promise<Attachment> {
    const shape = shapeOf(kind);
    const { bytes, fileId, mimetype } = await this.content(kind, shape, options.size);
    const file = options.isPublic
      ? await this.publicFile(bytes)
      : await storeEncrypted(this.tools.store, bytes, { purpose: `WhatsApp ${shape.purpose} Keys` });
    const { streamingSidecar, ...stored } = file;
    const common = {
      ...stored,
      url: `https://${this.tools.mediaHost()}${file.directPath}`,
      mimetype,
      fileLength: bytes.length,
      ...(!options.isPublic && { mediaKeyTimestamp: Number(unixSeconds()) }),
      ...(shape.isStream && streamingSidecar && { streamingSidecar }),
      ...(shape.hasThumbnail && (await this.thumbnails(shape, file.mediaKey))),
      ...shape.fields,
      ...(shape.hasCaption && options.caption !== "" && { caption: options.caption }),
      ...(options.viewOnce && { viewOnce: true }),
    };
    const message = proto.Message.fromObject({ [shape.field]: common });
    return {
      message: enveloped(message, options),
      media: {
        kind,
        mimetype,
        size: bytes.length,
        sha256: file.fileSha256.toString("hex"),
        directPath: file.directPath,
        ...(fileId !== undefined && { fileId }),
        ...(file.mediaKey && { mediaKey: file.mediaKey.toString("hex") }),
        ...(file.fileEncSha256 && { encryptedSha256: file.fileEncSha256.toString("hex") }),
      },
    };
  }

  private async content(
    kind: FileKind,
    { sample }: FileShape,
    size: number | undefined,
  ): Promise<{ bytes: Buffer; mimetype: string; fileId?: string }> {
    const file = await this.tools.samples.get(sample);
    if (file === undefined) throw new Error(`no sample ${sample}`);
    if (size === undefined) return file;
    if (size < 1 || size > maxSizeBytes) throw new ControlError(400, `size must be 1 to ${maxSizeBytes}`);
    if (kind === "sticker" || kind === "image") throw new ControlError(400, "size belongs to a document, a video or an audio file");
    const fileId = randomBytes(8).toString("hex");
    return { bytes: syntheticBytes(fileId, 0, size), mimetype: file.mimetype, fileId };
  }

  private async publicFile(bytes: Buffer): Promise<PublicFile> {
    const media = await this.tools.store.put(Readable.from([bytes]));
    return { directPath: pathOf(media), fileSha256: media.sha256 };
  }

  /** Videos and documents also have a larger thumbnail on the media server, under the file's key. */
  private async thumbnails({ purpose }: FileShape, mediaKey: Buffer | undefined): Promise<Record<string, unknown>> {
    this.thumbnail ??= this.picture();
    const jpegThumbnail = await this.thumbnail;
    if (mediaKey === undefined || purpose === "Image") return { jpegThumbnail };
    const stored = await storeEncrypted(this.tools.store, jpegThumbnail, { purpose: `WhatsApp ${purpose} Thumbnail Keys`, mediaKey });
    return {
      jpegThumbnail,
      thumbnailDirectPath: stored.directPath,
      thumbnailSha256: stored.fileSha256,
      thumbnailEncSha256: stored.fileEncSha256,
    };
  }

  private async picture(): Promise<Buffer> {
    const sample = await this.tools.samples.get("small.jpg");
    return await sharp(sample?.bytes).resize(thumbnailPx).jpeg({ quality: 50 }).toBuffer();
  }
}

interface PublicFile {
  readonly directPath: string;
  readonly fileSha256: Buffer;
  readonly mediaKey?: undefined;
  readonly fileEncSha256?: undefined;
  readonly streamingSidecar?: undefined;
}

/** Puts the message into the envelope that its options demand. */
function enveloped(message: proto.IMessage, { viewOnce, caption }: FileOptions): proto.IMessage {
  if (viewOnce) return message.audioMessage ? { viewOnceMessageV2Extension: { message } } : { viewOnceMessageV2: { message } };
  return message.documentMessage && caption !== "" ? { documentWithCaptionMessage: { message } } : message;
}

export function locationMessage(): proto.IMessage {
  return { locationMessage: { degreesLatitude: 51.5007, degreesLongitude: -0.1246, name: "London", address: "Westminster" } };
}

export function liveLocationMessage(): proto.IMessage {
  return { liveLocationMessage: { degreesLatitude: 51.5007, degreesLongitude: -0.1246, caption: "on my way", sequenceNumber: 1 } };
}

export function contactMessage(): proto.IMessage {
  return { contactMessage: card("Alice", "6281155501001") };
}

export function contactsMessage(): proto.IMessage {
  return { contactsArrayMessage: { displayName: "2 contacts", contacts: [card("Alice", "6281155501001"), card("Bob", "6281155501002")] } };
}

function card(displayName: string, phone: string): proto.Message.IContactMessage {
  const lines = ["BEGIN:VCARD", "VERSION:3.0", `FN:${displayName}`, `TEL;type=CELL;waid=${phone}:+${phone}`, "END:VCARD"];
  return { displayName, vcard: lines.join("\n") };
}
