import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { reactionFields, readReaction, type ReactionForm } from "../api/message/reaction.js";
import { toAuthor } from "./author.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/reaction. Order of checks: unknown fields, recipient, other fields. */
export function parseReaction({ body }: HttpInput): Input<"whatsapp", "send-reaction"> {
  rejectUnknownFields(body, [...recipientFields, ...reactionFields]);
  const to = parseRecipient(body);
  const form = readReaction(body, wording);
  return { to, messageId: form.messageId, ...toAuthor(form), emoji: form.emoji };
}

/** A reaction to a message of one chat. */
export interface ReactionBody extends MessageRecipient, ReactionForm {}
