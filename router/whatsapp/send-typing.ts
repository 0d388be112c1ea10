import typia from "typia";
import type { Input } from "../../shared/contract/commands.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import { typingTypes } from "../../shared/contract/whatsapp/typing.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { parseTypingRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** POST /typing: the recipient, then `type`, which is `text` when absent. */
export function parseTyping({ body }: HttpInput): Input<"whatsapp", "send-typing"> {
  const to = parseTypingRecipient(body);
  const { type: given = "text" } = orThrow(validateType(body), wording);
  const type = typingTypes.find((allowed) => allowed === given);
  if (type === undefined) throw errors.unknownType(typingTypes);
  return { to, type };
}

const validateType = typia.createValidate<{ type?: unknown }>();
