import type { Input } from "../../shared/contract/commands.js";
import { internationalPhone } from "../../shared/contract/phone.js";
import { isUserId } from "../../shared/contract/whatsapp/address.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { both } from "../endpoint/validation.js";
import type {
  AudioContentForm,
  ContactContentForm,
  DocumentContentForm,
  ImageContentForm,
  LocationContentForm,
  TextForm,
  VideoContentForm,
} from "../api/message/content-forms.js";
import { parseContent } from "../api/message/message-content.js";
import { parseContext, type MessageContextForm } from "../api/message/message-context.js";
import { parseRecipient, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message. Order of checks: recipient, the content as in the document's table, then `replyTo` and `mentions`. */
export function parseMessage({ body }: HttpInput): Input<"whatsapp", "send-message"> {
  const to = parseRecipient(body);
  const [content, context] = both(
    () => parseContent(body, wording),
    () => parseContext(body, isPerson),
  );
  return { to, ...context, ...content };
}

function isPerson(text: string): boolean {
  return isUserId(text) || internationalPhone(text) !== undefined;
}

interface TextMessage extends TextForm, MessageRecipient, MessageContextForm {}
interface ImageMessage extends ImageContentForm, MessageRecipient, MessageContextForm {}
interface VideoMessage extends VideoContentForm, MessageRecipient, MessageContextForm {}
interface AudioMessage extends AudioContentForm, MessageRecipient, MessageContextForm {}
interface DocumentMessage extends DocumentContentForm, MessageRecipient, MessageContextForm {}
interface LocationMessage extends LocationContentForm, MessageRecipient, MessageContextForm {}
interface ContactMessage extends ContactContentForm, MessageRecipient, MessageContextForm {}

/** A message of one of seven types to one recipient. */
export type MessageBody = TextMessage | ImageMessage | VideoMessage | AudioMessage | DocumentMessage | LocationMessage | ContactMessage;
