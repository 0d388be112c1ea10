import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { readDeletion, type DeletionForm } from "../api/message/deletion.js";
import { toAuthor } from "./author.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses DELETE /message/{messageId}. Order of checks: unknown fields, recipient, other fields. */
export function parseDeletion({ params, query }: HttpInput): Input<"whatsapp", "delete-message"> {
  rejectUnknownFields(query, [...recipientFields, "author"]);
  const to = parseRecipient(query);
  const form = readDeletion({ params, query }, wording);
  return { to, messageId: form.messageId, ...toAuthor(form) };
}

/** A message of one chat, in the path and the query. */
export interface DeletionQuery extends DeletionForm, MessageRecipient {}
