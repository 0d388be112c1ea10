import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { albumFields, parseAlbumContent, type AlbumForm } from "../api/message/album-form.js";
import { parseChatRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/album. Order of checks: unknown fields, recipient, items. */
export function parseAlbum({ body }: HttpInput): Input<"whatsapp", "send-album"> {
  rejectUnknownFields(body, [...recipientFields, ...albumFields]);
  return { to: parseChatRecipient(body), ...parseAlbumContent(body, wording) };
}

/** An album, and its recipient. */
export interface AlbumBody extends AlbumForm, MessageRecipient {}
