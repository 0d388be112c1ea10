import { createHash } from "node:crypto";
import type { WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";

/**
 * The id of an event: SHA-256 of what makes it this event and no other. Only things that a pushed update and a difference both tell go in, so that
 * the same happening has the same id whichever way, and through whichever owner, it is heard of:
 *
 * - new: the message. Its count (`pts`) is not in a difference.
 * - edited: the message, the second of the edit, a digest of the content, and the event of the edit before it, because several edits can fall into
 *   one second. Not the count: a difference may tell of several edits at once, with the content of the last.
 * - deleted: the messages. They cannot come back.
 * - read: up to which message, and by whom. It only grows.
 */
export function eventId(session: string, type: WebhookEventType, chat: string, parts: readonly (string | number)[]): string {
  return createHash("sha256")
    .update([session, type, chat, ...parts].join("|"))
    .digest("hex");
}
