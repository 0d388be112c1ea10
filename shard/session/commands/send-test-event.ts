import type { Empty } from "../../../shared/contract/session.js";
import type { TestEventOutput } from "../../../shared/contract/webhook-trial.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/webhook/test: appends a test event for the receiver, behind the waiting events. */
export function sendTestEvent(session: Session, _input: Empty, { id, requestId = "" }: CommandCall): Promise<TestEventOutput> {
  return session.context.webhook.sendTest(id, requestId);
}
