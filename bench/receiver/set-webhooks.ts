import type { WebhookSettings } from "../../shared/contract/session.js";
import type { StoredLogin } from "../logins/stored-logins.js";

/** Sets the webhook of these sessions; an empty `url` and `token` turn it off. */
export async function setWebhooks(logins: readonly StoredLogin[], webhook: WebhookSettings): Promise<void> {
  for (const { caller } of logins) {
    const { status, body } = await caller.send("PUT", "/session/webhook", webhook);
    if (status !== 200) throw new Error(`PUT /session/webhook: ${status} ${JSON.stringify(body)}`);
  }
}
