import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { parsePollContent, pollFields, type PollForm } from "../api/message/poll-form.js";
import { parseChatRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/poll. Order of checks: unknown fields, recipient, poll. */
export function parsePoll({ body }: HttpInput): Input<"whatsapp", "send-poll"> {
  rejectUnknownFields(body, [...recipientFields, ...pollFields]);
  return { to: parseChatRecipient(body), ...parsePollContent(body, wording) };
}

/** A poll, and its recipient. */
export interface PollBody extends PollForm, MessageRecipient {}
