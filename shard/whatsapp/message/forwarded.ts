import { proto } from "@whiskeysockets/baileys";
import { inCaptionEnvelope } from "./caption-envelope.js";
import { addContext } from "./context-info.js";

/** Returns the message of a forward, marked as forwarded. Only the longer form of a text can be marked. */
export function forwarded({ conversation, ...content }: proto.IMessage): proto.IMessage {
  const message = proto.Message.fromObject(conversation ? { extendedTextMessage: { text: conversation } } : content);
  addContext(message, { isForwarded: true, forwardingScore: 1 });
  return inCaptionEnvelope(message);
}
