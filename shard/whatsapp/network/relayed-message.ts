import { proto } from "@whiskeysockets/baileys";

/**
 * Returns a message with inherited members, which the library reads but does not encode. They show it the document inside an envelope, and
 * stop it from adding a reporting token, which it would compute over padded bytes.
 */
export function toRelayed(message: proto.IMessage): proto.IMessage {
  const documentMessage = message.documentWithCaptionMessage?.message?.documentMessage;
  const seen: proto.IMessage = { encEventResponseMessage: {}, ...(documentMessage ? { documentMessage } : {}) };
  const relayed: proto.IMessage = Object.assign(Object.create(seen) as proto.IMessage, message);
  const bytes = encoded.get(message);
  if (bytes !== undefined) encoded.set(relayed, bytes);
  return relayed;
}

/** Encodes a message, and remembers the bytes for its relays. The message must not change after that. */
export function encodeBeforeRelay(message: proto.IMessage): Buffer {
  const bytes = Buffer.from(proto.Message.encode(message).finish());
  encoded.set(message, bytes);
  return bytes;
}

/** Gives the library the remembered bytes of a relayed message, which it encodes for each device. Process-wide, once. */
export function installRelayedEncoding(): void {
  Object.assign(proto.Message, { encode: encodeOnce });
}

const encoded = new WeakMap<object, Buffer>();
const encode = proto.Message.encode.bind(proto.Message);

/** With a writer, the message is a part of another one. */
function encodeOnce(...[message, writer]: Parameters<typeof encode>): Pick<ReturnType<typeof encode>, "finish"> {
  const bytes = writer === undefined ? encoded.get(message) : undefined;
  return bytes === undefined ? encode(message, writer) : { finish: () => bytes };
}
