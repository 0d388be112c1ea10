import { randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Attachment, Attachments } from "./attachments.js";
import { contactMessage, contactsMessage, liveLocationMessage, locationMessage } from "./attachments.js";
import { type FileKind, fileKinds } from "./file-shapes.js";

const media = [...(Object.keys(fileKinds) as FileKind[]), "location", "live-location", "contact", "contacts", "poll"] as const;
/** Kinds that a recipient may be allowed to open only once. */
const oneLook: readonly string[] = ["image", "video", "voice"];
const maxOptions = 12;

/** Makes a message of the fields that describe it (the sandbox's README). `isPublic`: for a channel. */
export async function contentOf(fields: Fields, attachments: Attachments, isPublic: boolean): Promise<Attachment> {
  const kind = fields.optionalText("media") === undefined ? undefined : fields.oneOf("media", media);
  const text = fields.optionalText("text") ?? (kind === undefined ? "Hello" : "");
  const size = fields.optionalCount("size");
  const viewOnce = fields.flag("viewOnce");
  if (viewOnce && (kind === undefined || !oneLook.includes(kind)))
    throw new ControlError(400, "viewOnce belongs to an image, a video or a voice message");
  if (size !== undefined && !(kind !== undefined && kind in fileKinds)) throw new ControlError(400, "size belongs to a file");
  switch (kind) {
    case undefined:
      return { message: textMessage(text, fields) };
    case "location":
      return { message: locationMessage() };
    case "live-location":
      return { message: liveLocationMessage() };
    case "contact":
      return { message: contactMessage() };
    case "contacts":
      return { message: contactsMessage() };
    case "poll": {
      const content = poll(text === "" ? "Which one?" : text, fields.texts("options"));
      return { message: fields.optionalCount("version") === 1 ? { pollCreationMessage: content } : { pollCreationMessageV3: content } };
    }
    default:
      return await attachments.file(kind, { caption: text, size, viewOnce, isPublic });
  }
}

/** Returns a text, or the header of an album with this number of pictures. */
function textMessage(text: string, fields: Fields): proto.IMessage {
  const expectedImageCount = fields.optionalCount("album");
  if (expectedImageCount !== undefined) return { albumMessage: { expectedImageCount, expectedVideoCount: 0 } };
  if (fields.flag("plain")) return { conversation: text };
  return { extendedTextMessage: { text, ...(fields.flag("preview") && preview) } };
}

const preview = { matchedText: "https://example.com/", title: "Example", description: "A page", previewType: 0 };

function poll(name: string, named: readonly string[]): proto.Message.IPollCreationMessage {
  const options = named.length === 0 ? ["Yes", "No"] : named;
  if (options.length < 2 || options.length > maxOptions) throw new ControlError(400, `options must be 2 to ${maxOptions} texts`);
  return { name, options: options.map((optionName) => ({ optionName })), selectableOptionsCount: 1 };
}

/** Adds the context to the content inside all envelopes. A plain text becomes an extended one. */
export function withContext(message: proto.IMessage, contextInfo: proto.IContextInfo): proto.IMessage {
  if (Object.keys(contextInfo).length === 0) return message;
  if (message.conversation != null) return { extendedTextMessage: { text: message.conversation, contextInfo } };
  return Object.fromEntries(
    Object.entries(message).map(([field, content]): [string, unknown] => {
      const inner: unknown = typeof content === "object" && content !== null ? Reflect.get(content, "message") : undefined;
      if (typeof inner === "object" && inner !== null) return [field, { message: withContext(inner, contextInfo) }];
      return [field, { ...Object(content), contextInfo }];
    }),
  );
}

/** Puts the message into the envelope of a chat whose messages disappear, or into the first one of view-once files. */
export function inEnvelope(message: proto.IMessage, fields: Fields): proto.IMessage {
  if (fields.optionalText("envelope") === undefined) return message;
  const field = fields.oneOf("envelope", ["ephemeral", "viewOnce"]) === "ephemeral" ? "ephemeralMessage" : "viewOnceMessage";
  return { [field]: { message } };
}

/**
 * Every message of a phone carries a secret, from which votes and comments derive their keys. `album`: the header of the message's album.
 */
export function withSecret(message: proto.IMessage, album?: proto.IMessageKey): proto.IMessage {
  const associationType = proto.MessageAssociation.AssociationType.MEDIA_ALBUM;
  const messageAssociation = album && { associationType, parentMessageKey: album };
  return { ...message, messageContextInfo: { messageSecret: randomBytes(32), ...(messageAssociation && { messageAssociation }) } };
}

/** Returns the content of an edited message: the file of the original with another caption, or a text. */
export function edited(original: proto.IMessage | undefined, text: string): proto.IMessage {
  const content = original?.documentWithCaptionMessage?.message ?? original;
  for (const field of ["imageMessage", "videoMessage", "documentMessage"] as const)
    if (content?.[field]) return { [field]: { ...content[field], caption: text } };
  return { extendedTextMessage: { text } };
}
