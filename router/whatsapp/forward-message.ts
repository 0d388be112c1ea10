import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { forwardFields, parseForwardRef, type ForwardForm } from "../api/message/forward-form.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/forward. Order of checks: unknown fields, recipient, `ref`. */
export function parseForward({ body }: HttpInput): Input<"whatsapp", "forward-message"> {
  rejectUnknownFields(body, [...recipientFields, ...forwardFields]);
  return { to: parseRecipient(body), ref: parseForwardRef(body, wording) };
}

/** A message to forward, and its recipient. */
export interface ForwardBody extends ForwardForm, MessageRecipient {}
