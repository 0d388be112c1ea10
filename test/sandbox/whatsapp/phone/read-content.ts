import { type MediaType, proto } from "@whiskeysockets/baileys";
import { type MediaReader, type MediaReference, thumbnailOf } from "../media/media-reader.js";
import type { ReceivedContent, ReceivedFile } from "../world/received.js";

type MediaMessage = MediaReference & {
  readonly jpegThumbnail?: Uint8Array | null;
  readonly width?: number | null;
  readonly height?: number | null;
};

/** Returns what a phone shows of a message: kind, text, file and timer. */
export async function readContent(message: proto.IMessage, media: MediaReader): Promise<ReceivedContent> {
  const context = contextIn(message);
  return {
    ...(await readKind(message, media)),
    ...quoteIn(context),
    ...albumIn(message),
    ...timerIn(context),
    ...(message.documentWithCaptionMessage && { envelope: "documentWithCaptionMessage" }),
  };
}

/** Returns the chat timer that a message carries. */
function timerIn({ expiration, ephemeralSettingTimestamp: setAt, disappearingMode: mode }: proto.IContextInfo): Partial<ReceivedContent> {
  if (!expiration) return {};
  const { initiator, trigger } = proto.DisappearingMode.toObject(proto.DisappearingMode.fromObject(mode ?? {}), { enums: String });
  return {
    expiration,
    ...(setAt && { timerSetAt: Number(setAt) }),
    ...(mode && { timerFrom: `${trigger} ${initiator}` }),
  };
}

/** Returns what a phone shows above a reply. A quote without a content is not shown. */
function quoteIn({ stanzaId, participant, remoteJid, quotedMessage, isForwarded }: proto.IContextInfo): Partial<ReceivedContent> {
  const forwarded = isForwarded === true ? { forwarded: true as const } : {};
  if (!stanzaId) return forwarded;
  return {
    ...forwarded,
    quoted: { id: stanzaId, author: participant ?? "", ...(remoteJid && { chat: remoteJid }), ...shownIn(quotedMessage) },
  };
}

function shownIn(quoted: proto.IMessage | null | undefined): { readonly kind: string; readonly text: string } {
  const inner = unwrapped(quoted ?? {});
  const name = Object.keys(inner).find((key) => key !== "messageContextInfo") ?? "";
  const content: unknown = Reflect.get(inner, name);
  const { caption, text } = Object(content) as { readonly caption?: string; readonly text?: string };
  const kind = name === "conversation" || name === "extendedTextMessage" ? "text" : name.replace(/Message$/, "");
  return { kind, text: typeof content === "string" ? content : (caption ?? text ?? "") };
}

function albumIn({ messageContextInfo }: proto.IMessage): Partial<ReceivedContent> {
  const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {};
  const isAlbum = associationType === proto.MessageAssociation.AssociationType.MEDIA_ALBUM;
  return isAlbum && parentMessageKey?.id ? { albumId: parentMessageKey.id } : {};
}

function contextIn(message: proto.IMessage): proto.IContextInfo {
  for (const content of Object.values(unwrapped(message))) {
    const context: unknown = typeof content === "object" && content !== null ? Reflect.get(content, "contextInfo") : undefined;
    if (typeof context === "object" && context !== null) return context;
  }
  return {};
}

async function readKind(message: proto.IMessage, media: MediaReader): Promise<ReceivedContent> {
  const {
    conversation,
    extendedTextMessage,
    imageMessage,
    videoMessage,
    audioMessage,
    documentMessage,
    locationMessage,
    contactMessage,
    contactsArrayMessage,
    pollCreationMessage,
    pollCreationMessageV3,
    stickerMessage,
    albumMessage,
  } = unwrapped(message);
  if (imageMessage)
    return {
      kind: "image",
      text: imageMessage.caption ?? "",
      file: await fileOf(media, imageMessage, "image"),
      ...mentions(imageMessage.contextInfo),
    };
  if (videoMessage)
    return {
      kind: "video",
      text: videoMessage.caption ?? "",
      file: { ...(await fileOf(media, videoMessage, "video")), duration: videoMessage.seconds ?? 0 },
      ...mentions(videoMessage.contextInfo),
    };
  if (audioMessage)
    return {
      kind: "audio",
      text: "",
      file: { ...(await fileOf(media, audioMessage, "audio")), duration: audioMessage.seconds ?? 0, voice: audioMessage.ptt ?? false },
    };
  if (documentMessage)
    return {
      kind: "document",
      text: documentMessage.caption ?? "",
      file: { ...(await fileOf(media, documentMessage, "document")), fileName: documentMessage.fileName ?? "" },
    };
  if (stickerMessage) return { kind: "sticker", text: "", file: await fileOf(media, stickerMessage, "sticker") };
  if (albumMessage)
    return {
      kind: "album",
      text: "",
      album: { images: albumMessage.expectedImageCount ?? 0, videos: albumMessage.expectedVideoCount ?? 0 },
    };
  if (locationMessage) {
    const { degreesLatitude, degreesLongitude, name, address } = locationMessage;
    return {
      kind: "location",
      text: "",
      location: { latitude: degreesLatitude ?? 0, longitude: degreesLongitude ?? 0, name: name ?? "", address: address ?? "" },
    };
  }
  const contact = contactMessage ?? contactsArrayMessage?.contacts?.[0];
  if (contact)
    return {
      kind: "contact",
      text: "",
      contact: { name: contact.displayName ?? "", phone: phoneOf(contact.vcard ?? ""), vcard: contact.vcard ?? "" },
    };
  if (extendedTextMessage) {
    const { text, backgroundArgb, font, contextInfo } = extendedTextMessage;
    return {
      kind: "text",
      text: text ?? "",
      ...mentions(contextInfo),
      ...(backgroundArgb != null && { background: colour(backgroundArgb) }),
      ...(font != null && { font }),
    };
  }
  if (conversation != null) return { kind: "text", text: conversation };
  const poll = pollCreationMessage ?? pollCreationMessageV3;
  // Without a secret of 32 bytes no phone can vote.
  if (poll && message.messageContextInfo?.messageSecret?.length === 32) {
    const options = (poll.options ?? []).map(({ optionName }) => optionName ?? "");
    return { kind: "poll", text: poll.name ?? "", poll: { options, multiple: poll.selectableOptionsCount !== 1 } };
  }
  return { kind: Object.keys(message).find((key) => key !== "messageContextInfo") ?? "empty", text: "" };
}

/** Returns the message without its envelopes. */
function unwrapped(message: proto.IMessage): proto.IMessage {
  const inner =
    message.ephemeralMessage?.message ??
    message.viewOnceMessage?.message ??
    message.viewOnceMessageV2?.message ??
    message.documentWithCaptionMessage?.message ??
    message.deviceSentMessage?.message;
  return inner ? unwrapped(inner) : message;
}

async function fileOf(media: MediaReader, message: MediaMessage, type: MediaType): Promise<ReceivedFile> {
  const [file, thumbnail] = await Promise.all([media.read(message, type), thumbnailOf(message.jpegThumbnail)]);
  const { width, height } = message;
  return { ...file, ...(width && height && { stated: { width, height } }), ...(thumbnail && { thumbnail }) };
}

function mentions(context: proto.IContextInfo | null | undefined): Pick<ReceivedContent, "mentions"> {
  return context?.mentionedJid?.length ? { mentions: context.mentionedJid } : {};
}

function colour(argb: number): string {
  return `#${(argb & 0xff_ff_ff).toString(16).padStart(6, "0").toUpperCase()}`;
}

/** Returns the digits of a vCard's number. */
function phoneOf(vcard: string): string {
  return (/waid=(\d+)/.exec(vcard)?.[1] ?? /TEL[^:]*:([^\r\n]*)/.exec(vcard)?.[1] ?? "").replace(/\D/g, "");
}
