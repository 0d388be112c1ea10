import type { DeadLetterPage, DeadLetterQuery } from "../../../shared/contract/telegram/webhook.js";
import type { TelegramSession } from "../session.js";

/** GET /admin/sessions/{id}/dead-letters: what no receiver took, for an operator. */
export function listDeadLetters(session: TelegramSession, query: DeadLetterQuery): Promise<DeadLetterPage> {
  return session.context.webhook.listDeadLetters(query);
}
