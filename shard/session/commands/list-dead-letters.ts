import type { DeadLetterPage, DeadLetterQuery } from "../../../shared/contract/dead-letters.js";
import type { Session } from "../session.js";

/** GET /admin/sessions/{id}/dead-letters: lists the events that no receiver accepted. */
export function listDeadLetters(session: Session, query: DeadLetterQuery): Promise<DeadLetterPage> {
  return session.context.webhook.listDeadLetters(query);
}
