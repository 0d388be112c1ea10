import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { parseVoiceContent, voiceFields, type VoiceForm } from "../api/message/voice-form.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/voice. Order of checks: unknown fields, recipient, file. */
export function parseVoice({ body }: HttpInput): Input<"telegram", "send-voice"> {
  rejectUnknownFields(body, [...recipientFields, ...voiceFields]);
  return { to: parseRecipient(body), ...parseVoiceContent(body, wording) };
}

/** A voice message, and its recipient. */
export interface VoiceBody extends VoiceForm, MessageRecipient {}
