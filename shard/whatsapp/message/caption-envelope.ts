import { proto } from "@whiskeysockets/baileys";

/** A document with a caption in the envelope that the platform's own clients give it. Other messages stay as they are. */
export function inCaptionEnvelope(message: proto.IMessage): proto.IMessage {
  const { documentMessage, ...rest } = message;
  if (!documentMessage?.caption) return message;
  return proto.Message.fromObject({ ...rest, documentWithCaptionMessage: { message: { documentMessage } } });
}
