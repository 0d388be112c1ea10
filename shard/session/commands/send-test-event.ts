import type { Empty } from "../../../shared/contract/session.js";
import type { TestEventOutput } from "../../../shared/contract/webhook-trial.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/webhook/test: an event to try the receiver with, behind what waits. */
export function sendTestEvent(session: Session, _input: Empty, { id, requestId = "" }: CommandCall): Promise<TestEventOutput> {
  return session.context.webhook.sendTest(id, requestId);
}
