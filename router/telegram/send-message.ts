import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import { parseModes, type ParseMode } from "../../shared/contract/telegram/message.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { both, orThrow } from "../endpoint/validation.js";
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

/** Parses POST /message. Order of checks: recipient, content as in variant A, `parseMode`. */
export function parseMessage({ body }: HttpInput): Input<"telegram", "send-message"> {
  const to = parseRecipient(body);
  const readMode = (): Formatted => orThrow(validateMode(withoutBlanks(body)), { ...wording, oneOf: { parseMode: parseModes } });
  const [content, { parseMode }] = both(() => parseContent(body, wording), readMode);
  return parseMode === undefined ? { to, ...content } : { to, parseMode, ...content };
}

const validateMode = typia.createValidate<Formatted>();

interface Formatted {
  /**
   * Format of the text. `markdown`: `**bold**`, `__italic__`, `[links](https://...)` and more; `html`: the platform's tags. Default:
   * plain text.
   */
  parseMode?: ParseMode;
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
