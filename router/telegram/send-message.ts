import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import { parseModes, type ParseMode } from "../../shared/contract/telegram/message.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { both, orThrow } from "../endpoint/validation.js";
import { parseContent } from "../message/message-content.js";
import { parseRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** POST /message. Order of checks: recipient, content as in variant A, `parseMode`. */
export function parseMessage({ body }: HttpInput): Input<"telegram", "send-message"> {
  const to = parseRecipient(body);
  const readMode = (): { parseMode?: ParseMode } =>
    orThrow(validateMode(withoutBlanks(body)), { ...wording, oneOf: { parseMode: parseModes } });
  const [content, { parseMode }] = both(() => parseContent(body, wording), readMode);
  return parseMode === undefined ? { to, ...content } : { to, parseMode, ...content };
}

const validateMode = typia.createValidate<{ parseMode?: ParseMode }>();
