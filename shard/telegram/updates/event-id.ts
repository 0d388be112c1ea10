import { createHash } from "node:crypto";
import type { WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";

/**
 * Returns SHA-256 over facts that a push and a difference share, so an event has the same id on either path and under any owner. Excludes
 * `pts`, which a difference lacks, and includes the previous edit's id.
 */
export function eventId(session: string, type: WebhookEventType, chat: string, parts: readonly (string | number)[]): string {
  return createHash("sha256")
    .update([session, type, chat, ...parts].join("|"))
    .digest("hex");
}
