import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { parseTypingType, type TypingTypeForm } from "../api/message/typing-type.js";
import { parseTypingRecipient, type TypingRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /typing: the recipient, then `type`. */
export function parseTyping({ body }: HttpInput): Input<"telegram", "send-typing"> {
  return { to: parseTypingRecipient(body), type: parseTypingType(body, wording) };
}

/** A typing indicator for one recipient. */
export interface TypingBody extends TypingRecipient, TypingTypeForm {}
