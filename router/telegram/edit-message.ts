import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { both } from "../endpoint/validation.js";
import { readEdit, type EditForm } from "../api/message/edit.js";
import { toMessageId } from "./message-id.js";
import { readParseMode, type Formatted } from "./parse-mode.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses PATCH /message/{messageId}. Order of checks: unknown fields, recipient, other fields. */
export function parseEdit({ params, body }: HttpInput): Input<"telegram", "edit-message"> {
  rejectUnknownFields(body, [...recipientFields, "text", "parseMode"]);
  const to = parseRecipient(body);
  const [{ messageId, text }, mode] = both(
    () => readEdit({ params, body }, wording),
    () => readParseMode(body),
  );
  return { to, messageId: toMessageId(messageId), text, ...mode };
}

/** The new text of a message of one chat. */
export interface EditBody extends MessageRecipient, EditForm, Formatted {}
