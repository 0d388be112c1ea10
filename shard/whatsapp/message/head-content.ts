import { getContentType, proto } from "@whiskeysockets/baileys";
import { headContentMaxBytes, type MessageHead } from "../../session/message-head.js";
import { fileOf, shortened } from "../media/message-file.js";

/**
 * Returns what a ref holds of a message's content: all that a forward needs if it fits, else what a quote shows, which is the type and a
 * shortened text. The content is already without its wrappers.
 */
export function headContent(message: proto.IMessage): Pick<MessageHead, "content" | "whole"> {
  const all = forwardable(message);
  const whole = all && encoded(all);
  if (whole !== undefined && whole.length <= headContentMaxBytes) return { content: whole, whole: true };
  const quote = encoded(quotable(message));
  return { content: quote.length <= headContentMaxBytes ? quote : Buffer.alloc(0), whole: false };
}

/** Returns the content without previews, context and what only its own chat needs; `undefined` if it cannot be sent again. */
function forwardable(message: proto.IMessage): proto.IMessage | undefined {
  const type = getContentType(message);
  switch (type) {
    case "conversation":
    case "extendedTextMessage":
      // A forward of an empty text would be a message without any content.
      return textOf(message) === "" ? undefined : { conversation: textOf(message) };
    case "imageMessage":
    case "videoMessage":
    case "ptvMessage":
    case "audioMessage":
    case "documentMessage":
    case "stickerMessage":
      // A channel's file has no key: in a chat it would have to be encrypted and uploaded again.
      return fileOf(message)?.file?.mediaKey.length === keyBytes ? { [type]: picked(message[type], mediaFields) } : undefined;
    case "locationMessage":
    case "contactMessage":
    case "contactsArrayMessage":
      return { [type]: picked(message[type], plainFields) };
    default:
      return undefined;
  }
}

function quotable(message: proto.IMessage): proto.IMessage {
  const type = getContentType(message);
  switch (type) {
    case "conversation":
    case "extendedTextMessage":
      return { conversation: shortened(textOf(message), quoteMax) };
    case "imageMessage":
    case "videoMessage":
    case "documentMessage":
      return { [type]: { caption: shortened(message[type]?.caption ?? "", quoteMax) } };
    case undefined:
      return {};
    default:
      return { [type]: {} };
  }
}

function textOf({ conversation, extendedTextMessage }: proto.IMessage): string {
  return conversation ?? extendedTextMessage?.text ?? "";
}

function encoded(message: proto.IMessage): Buffer {
  // A plain text has nothing to convert.
  const exact = typeof message.conversation === "string" ? message : proto.Message.fromObject(message);
  return Buffer.from(proto.Message.encode(exact).finish());
}

function picked(content: object | null | undefined, fields: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(content ?? {}).filter(([name, value]) => fields.has(name) && value !== null));
}

/** Bytes of a media key. */
const keyBytes = 32;
/** UTF-16 units, of at most 3 bytes each. */
const quoteMax = 150;

const mediaFields: ReadonlySet<string> = new Set([
  ...["mimetype", "fileSha256", "fileLength", "mediaKey", "fileEncSha256", "directPath", "mediaKeyTimestamp"],
  ...["caption", "fileName", "title", "pageCount", "seconds", "ptt", "width", "height", "gifPlayback", "isAnimated"],
]);
const plainFields: ReadonlySet<string> = new Set([
  ...["degreesLatitude", "degreesLongitude", "name", "address", "url", "displayName", "vcard", "contacts"],
]);
