import type { DeadLetterPage, DeadLetterQuery } from "../../../shared/contract/dead-letters.js";
import type { Session } from "../session.js";

/** GET /admin/sessions/{id}/dead-letters: what no receiver took, for an operator. */
export function listDeadLetters(session: Session, query: DeadLetterQuery): Promise<DeadLetterPage> {
  return session.context.webhook.listDeadLetters(query);
}
