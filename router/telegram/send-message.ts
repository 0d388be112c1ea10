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
import { parseContext, type MessageContextForm } from "../api/message/message-context.js";
import { readParseMode, type Formatted } from "./parse-mode.js";
import { parseRecipient, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message. Order of checks: recipient, content as in variant A, `parseMode`, then `replyTo` and `mentions`. */
export function parseMessage({ body }: HttpInput): Input<"telegram", "send-message"> {
  const to = parseRecipient(body);
  const [[content, mode], context] = both(
    () =>
      both(
        () => parseContent(body, wording),
        () => readParseMode(body),
      ),
    () => parseContext(body, isUserNumber),
  );
  return { to, ...mode, ...context, ...content };
}

function isUserNumber(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text);
}

interface TextMessage extends TextForm, MessageRecipient, MessageContextForm, Formatted {}
interface ImageMessage extends ImageContentForm, MessageRecipient, MessageContextForm, Formatted {}
interface VideoMessage extends VideoContentForm, MessageRecipient, MessageContextForm, Formatted {}
interface AudioMessage extends AudioContentForm, MessageRecipient, MessageContextForm, Formatted {}
interface DocumentMessage extends DocumentContentForm, MessageRecipient, MessageContextForm, Formatted {}
interface LocationMessage extends LocationContentForm, MessageRecipient, MessageContextForm, Formatted {}
interface ContactMessage extends ContactContentForm, MessageRecipient, MessageContextForm, Formatted {}

/** A message of one of seven types to one recipient. */
export type MessageBody = TextMessage | ImageMessage | VideoMessage | AudioMessage | DocumentMessage | LocationMessage | ContactMessage;
