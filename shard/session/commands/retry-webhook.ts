import type { RetryOutput } from "../../../shared/contract/webhook-trial.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/webhook/retry: tries the oldest waiting event now. */
export function retryWebhook(session: Session): Promise<RetryOutput> {
  return session.context.webhook.retry();
}
