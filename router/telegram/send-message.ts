import typia from "typia";
import type { Input } from "../../shared/contract/commands.js";
import { parseModes, type ParseMode } from "../../shared/contract/telegram/message.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { parseContent } from "../message/message-content.js";
import { parseRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** POST /message. Order of checks: recipient, content as in variant A, `parseMode`. */
export function parseMessage({ body }: HttpInput): Input<"telegram", "send-message"> {
  const to = parseRecipient(body);
  const content = parseContent(body, wording);
  const { parseMode } = orThrow(validateMode(body), { ...wording, oneOf: { parseMode: parseModes } });
  return parseMode === undefined ? { to, ...content } : { to, parseMode, ...content };
}

const validateMode = typia.createValidate<{ parseMode?: ParseMode }>();
