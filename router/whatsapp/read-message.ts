import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import type { MessageReferenceForm } from "../api/message/message-reference.js";
import { markFields, readMark } from "../api/message/read-mark.js";
import { toAuthor } from "./author.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/read. Order of checks: unknown fields, recipient, other fields. */
export function parseReadMark({ body }: HttpInput): Input<"whatsapp", "read-message"> {
  rejectUnknownFields(body, [...recipientFields, ...markFields]);
  const to = parseRecipient(body);
  const form = readMark(body, wording);
  return { to, messageId: form.messageId, ...toAuthor(form) };
}

/** A message of one chat. */
export interface ReadMarkBody extends MessageRecipient, MessageReferenceForm {}
