import type { Input } from "../../shared/contract/commands.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { parseContent } from "../message/message-content.js";
import { parseRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** POST /message. Order of checks: recipient, then what the document's table says of the content. */
export function parseMessage({ body }: HttpInput): Input<"whatsapp", "send-message"> {
  return { to: parseRecipient(body), ...parseContent(body, wording) };
}
