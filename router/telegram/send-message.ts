import type { Input } from "../../shared/contract/commands.js";
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
import { readParseMode, type Formatted } from "./parse-mode.js";
import { parseRecipient, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message. Order of checks: recipient, content as in variant A, `parseMode`. */
export function parseMessage({ body }: HttpInput): Input<"telegram", "send-message"> {
  const to = parseRecipient(body);
  const [content, mode] = both(
    () => parseContent(body, wording),
    () => readParseMode(body),
  );
  return { to, ...mode, ...content };
}

interface TextMessage extends TextForm, MessageRecipient, Formatted {}
interface ImageMessage extends ImageContentForm, MessageRecipient, Formatted {}
interface VideoMessage extends VideoContentForm, MessageRecipient, Formatted {}
interface AudioMessage extends AudioContentForm, MessageRecipient, Formatted {}
interface DocumentMessage extends DocumentContentForm, MessageRecipient, Formatted {}
interface LocationMessage extends LocationContentForm, MessageRecipient, Formatted {}
interface ContactMessage extends ContactContentForm, MessageRecipient, Formatted {}

/** A message of one of seven types to one recipient. */
export type MessageBody = TextMessage | ImageMessage | VideoMessage | AudioMessage | DocumentMessage | LocationMessage | ContactMessage;
