import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { readEdit, type EditForm } from "../api/message/edit.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses PATCH /message/{messageId}. Order of checks: unknown fields, recipient, other fields. */
export function parseEdit({ params, body }: HttpInput): Input<"whatsapp", "edit-message"> {
  rejectUnknownFields(body, [...recipientFields, "text"]);
  return { to: parseRecipient(body), ...readEdit({ params, body }, wording) };
}

/** The new text of a message of one chat. */
export interface EditBody extends MessageRecipient, EditForm {}
