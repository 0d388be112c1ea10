import type { SessionId } from "../../../shared/contract/ids.js";
import type { ReadWhatsAppMessages } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { UpdateEvent } from "../../session/session-context.js";
import { eventId } from "../events/event-id.js";
import { unknownChat } from "../events/people.js";

/** Returns the entry of the history for a message that a command has marked as read. */
export function readMark(session: SessionId, chat: string, message: string): UpdateEvent {
  const data: ReadWhatsAppMessages = { chat: unknownChat(chat), until: message, ids: [message], by: "me" };
  return { id: eventId(session, ["marked", chat, message]), type: "message.read", created: new Date().toISOString(), data, to: "history" };
}
