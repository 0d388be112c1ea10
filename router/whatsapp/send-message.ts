import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
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
import { parseRecipient, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message. Order of checks: recipient, then the content as in the document's table. */
export function parseMessage({ body }: HttpInput): Input<"whatsapp", "send-message"> {
  return { to: parseRecipient(body), ...parseContent(body, wording) };
}

interface TextMessage extends TextForm, MessageRecipient {}
interface ImageMessage extends ImageContentForm, MessageRecipient {}
interface VideoMessage extends VideoContentForm, MessageRecipient {}
interface AudioMessage extends AudioContentForm, MessageRecipient {}
interface DocumentMessage extends DocumentContentForm, MessageRecipient {}
interface LocationMessage extends LocationContentForm, MessageRecipient {}
interface ContactMessage extends ContactContentForm, MessageRecipient {}

/** A message of one of seven types to one recipient. */
export type MessageBody = TextMessage | ImageMessage | VideoMessage | AudioMessage | DocumentMessage | LocationMessage | ContactMessage;
