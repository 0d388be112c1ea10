import { type CommandCall } from "../../../shared/contract/commands.js";
import { type SessionReference } from "../../../shared/contract/telegram/session.js";
import { type WebhookSettings } from "../../../shared/contract/telegram/webhook.js";
import { type TelegramSession } from "../session.js";

/** PUT /session/webhook: a receiver may be set before the login. */
export async function setWebhook(session: TelegramSession, settings: WebhookSettings, call: CommandCall): Promise<SessionReference> {
  await session.context.webhook.set(settings, call.signal);
  session.context.log.info({ on: settings.url !== "" }, "webhook set");
  return { id: session.id };
}
