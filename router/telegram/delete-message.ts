import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { readDeletion, type DeletionForm } from "../api/message/deletion.js";
import { toMessageId } from "./message-id.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses DELETE /message/{messageId}. Order of checks: unknown fields, recipient, other fields. */
export function parseDeletion({ params, query }: HttpInput): Input<"telegram", "delete-message"> {
  rejectUnknownFields(query, [...recipientFields, "author"]);
  const to = parseRecipient(query);
  return { to, messageId: toMessageId(readDeletion({ params, query }, wording).messageId) };
}

/** A message of one chat, in the path and the query. */
export interface DeletionQuery extends DeletionForm, MessageRecipient {}
