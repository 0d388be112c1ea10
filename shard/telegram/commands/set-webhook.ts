import type { CommandCall } from "../../../shared/contract/commands.js";
import { refusedWebhookUrl } from "../../../shared/contract/telegram/errors.js";
import type { SessionReference } from "../../../shared/contract/telegram/session.js";
import type { WebhookSettings } from "../../../shared/contract/telegram/webhook.js";
import { openScope } from "../../../shared/flow/abort-scope.js";
import type { TelegramSession } from "../session.js";

/** A platform that tells without a pause is not waited for any longer. */
const storedMs = 1_000;

/** PUT /session/webhook: a receiver may be set before the login. */
export async function setWebhook(session: TelegramSession, settings: WebhookSettings, call: CommandCall): Promise<SessionReference> {
  if (settings.url !== "" && (await session.context.webhook.refuses(settings.url))) throw refusedWebhookUrl();
  // The platform's times are whole seconds: of those of this very second, what has reached us already is from before.
  const scope = openScope([call.signal], storedMs);
  await session.updatesStored(scope.signal);
  scope.close();
  await session.context.webhook.set(settings, call.signal);
  session.context.log.info({ on: settings.url !== "" }, "webhook set");
  return { id: session.id };
}
