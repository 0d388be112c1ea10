import { randomBytes } from "node:crypto";
import type { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Attachment, Attachments } from "./attachments.js";
import { contactMessage, locationMessage } from "./attachments.js";
import { type FileKind, fileKinds } from "./file-shapes.js";

const media = [...(Object.keys(fileKinds) as FileKind[]), "location", "contact", "poll"] as const;
/** Kinds that a recipient may be allowed to open only once. */
const oneLook: readonly string[] = ["image", "video", "voice"];
const maxOptions = 12;

/** Makes a message of the fields `text`, `media`, `size`, `viewOnce`, `options` and `plain`. `isPublic`: for a channel. */
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
      return { message: fields.flag("plain") ? { conversation: text } : { extendedTextMessage: { text } } };
    case "location":
      return { message: locationMessage() };
    case "contact":
      return { message: contactMessage() };
    case "poll":
      return { message: poll(text === "" ? "Which one?" : text, fields.texts("options")) };
    default:
      return await attachments.file(kind, { caption: text, size, viewOnce, isPublic });
  }
}

function poll(name: string, named: readonly string[]): proto.IMessage {
  const options = named.length === 0 ? ["Yes", "No"] : named;
  if (options.length < 2 || options.length > maxOptions) throw new ControlError(400, `options must be 2 to ${maxOptions} texts`);
  return { pollCreationMessageV3: { name, options: options.map((optionName) => ({ optionName })), selectableOptionsCount: 1 } };
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

/** Every message of a phone carries a secret, from which votes and comments derive their keys. */
export function withSecret(message: proto.IMessage): proto.IMessage {
  return { ...message, messageContextInfo: { messageSecret: randomBytes(32) } };
}

/** Returns the content of an edited message: the file of the original with another caption, or a text. */
export function edited(original: proto.IMessage | undefined, text: string): proto.IMessage {
  const content = original?.documentWithCaptionMessage?.message ?? original;
  for (const field of ["imageMessage", "videoMessage", "documentMessage"] as const)
    if (content?.[field]) return { [field]: { ...content[field], caption: text } };
  return { extendedTextMessage: { text } };
}
