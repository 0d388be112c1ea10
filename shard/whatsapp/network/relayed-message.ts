import type { proto } from "@whiskeysockets/baileys";

/**
 * Returns a message with inherited members, which the library reads but does not encode. They show it the document inside an envelope, and
 * stop it from adding a reporting token, which it would compute over padded bytes.
 */
export function toRelayed(message: proto.IMessage): proto.IMessage {
  const documentMessage = message.documentWithCaptionMessage?.message?.documentMessage;
  const seen: proto.IMessage = { encEventResponseMessage: {}, ...(documentMessage ? { documentMessage } : {}) };
  const relayed: proto.IMessage = Object.create(seen) as proto.IMessage;
  return Object.assign(relayed, message);
}
