import type { proto } from "@whiskeysockets/baileys";

/**
 * A message as the library relays it, with members that the library looks at and does not encode, because they are inherited. It finds the kind of a
 * document inside an envelope, and no place for a reporting token, which it would compute over padded bytes.
 */
export function toRelayed(message: proto.IMessage): proto.IMessage {
  const documentMessage = message.documentWithCaptionMessage?.message?.documentMessage;
  const seen: proto.IMessage = { encEventResponseMessage: {}, ...(documentMessage ? { documentMessage } : {}) };
  const relayed: proto.IMessage = Object.create(seen) as proto.IMessage;
  return Object.assign(relayed, message);
}
