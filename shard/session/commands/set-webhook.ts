import type { CommandCall } from "../command.js";
import { refusedWebhookUrl } from "../../../shared/contract/errors.js";
import type { SessionReference, WebhookSettings } from "../../../shared/contract/session.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import type { Connector, StoresUpdates } from "../connector.js";
import type { Session } from "../session.js";

/** Most milliseconds to wait for a platform that sends updates without a pause. */
const storedMs = 1_000;

/** PUT /session/webhook: a receiver may be set before the login. */
export async function setWebhook(
  session: Session<Connector & StoresUpdates>,
  settings: WebhookSettings,
  call: CommandCall,
): Promise<SessionReference> {
  const { webhook } = session.context;
  if (settings.url !== "" && (await webhook.refuses(settings.url))) throw refusedWebhookUrl();
  // The platform's times are whole seconds: of those of this very second, what has reached us already is from before.
  const scope = new AbortScope([call.signal], storedMs);
  await session.connector.updatesStored(scope.signal);
  scope.close();
  await webhook.set(settings, call.signal);
  call.log.info({ on: settings.url !== "" }, "webhook set");
  return { id: session.id };
}
