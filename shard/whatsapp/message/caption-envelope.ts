import { proto } from "@whiskeysockets/baileys";

/** Puts a document with a caption into the envelope that the platform's own clients use. Returns other messages unchanged. */
export function inCaptionEnvelope(message: proto.IMessage): proto.IMessage {
  const { documentMessage, ...rest } = message;
  if (!documentMessage?.caption) return message;
  return proto.Message.fromObject({ ...rest, documentWithCaptionMessage: { message: { documentMessage } } });
}
