import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { parseStickerContent, stickerFields, type StickerForm } from "../api/message/sticker-form.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/sticker. Order of checks: unknown fields, recipient, picture. */
export function parseSticker({ body }: HttpInput): Input<"telegram", "send-sticker"> {
  rejectUnknownFields(body, [...recipientFields, ...stickerFields]);
  return { to: parseRecipient(body), ...parseStickerContent(body, wording) };
}

/** A sticker, and its recipient. */
export interface StickerBody extends StickerForm, MessageRecipient {}
