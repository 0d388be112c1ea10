import type { proto } from "@whiskeysockets/baileys";

/** The attributes by which a stanza describes its sealed message (whatsmeow's send.go, getTypeFromMessage and getMediaTypeFromMessage). */
export interface MessageKind {
  readonly type: "text" | "media" | "reaction" | "poll";
  /** 1: edited; 7: deleted by its author; 8: deleted by an administrator. */
  readonly edit?: "1" | "7" | "8";
  readonly mediatype?: string;
  /** A device that cannot decrypt the message shows nothing in its place. */
  readonly hidden?: true;
}

export function kindOf(message: proto.IMessage): MessageKind {
  const content = unwrapped(message);
  const { protocolMessage, reactionMessage, pollCreationMessage, pollCreationMessageV3 } = content;
  // proto.Message.ProtocolMessage.Type: 0 is REVOKE, 14 is MESSAGE_EDIT.
  if (protocolMessage?.type === 0) return { type: "text", edit: protocolMessage.key?.fromMe === false ? "8" : "7" };
  // proto.Message.SecretEncryptedMessage.SecretEncType: 2 is MESSAGE_EDIT.
  if (protocolMessage?.type === 14 || content.secretEncryptedMessage?.secretEncType === 2) return { type: "text", edit: "1", hidden: true };
  if (reactionMessage) return { type: "reaction", hidden: true };
  if (pollCreationMessage ?? pollCreationMessageV3) return { type: "poll" };
  const mediatype = mediatypeOf(content);
  return mediatype === undefined ? { type: "text" } : { type: "media", mediatype };
}

export function mediatypeOf(message: proto.IMessage): string | undefined {
  if (message.extendedTextMessage?.title) return "url";
  if (message.imageMessage) return "image";
  if (message.videoMessage) return message.videoMessage.gifPlayback ? "gif" : "video";
  if (message.ptvMessage) return "ptv";
  if (message.audioMessage) return message.audioMessage.ptt ? "ptt" : "audio";
  if (message.stickerMessage) return "sticker";
  if (message.documentMessage) return "document";
  if (message.locationMessage) return "location";
  if (message.contactsArrayMessage) return "contact_array";
  return message.contactMessage ? "vcard" : undefined;
}

function unwrapped(message: proto.IMessage): proto.IMessage {
  const inner =
    message.deviceSentMessage?.message ??
    message.editedMessage?.message ??
    message.ephemeralMessage?.message ??
    message.documentWithCaptionMessage?.message ??
    message.viewOnceMessage?.message ??
    message.viewOnceMessageV2?.message ??
    message.viewOnceMessageV2Extension?.message;
  return inner ? unwrapped(inner) : message;
}
