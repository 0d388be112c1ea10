import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { WebhookSettingsReader } from "../../../../router/api/webhook/webhook-settings.js";
import { createWhatsAppApi } from "../../../../router/whatsapp/whatsapp-api.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { knownKeys } from "../support.js";
import { RouterUnderTest } from "../router-under-test.js";

/** Replaces the router's other side for variant A. */
export class ApiUnderTest extends RouterUnderTest<"whatsapp"> {
  constructor() {
    super("whatsapp");
  }

  async start(apiKeys = ""): Promise<void> {
    createWhatsAppApi({
      app: this.app,
      prefix: "/whatsapp",
      sessions: this,
      commands: this,
      creations: this.creations,
      ring: this.ring,
      guard: this.guard,
      webhooks: new WebhookSettingsReader(this.ring),
      keys: knownKeys(ConfiguredKeys.parse(apiKeys)),
      places: { reserve: () => Promise.resolve(true), release: () => Promise.resolve() },
      admission: { admit: (_, work) => work(), admitAtHand: () => ({}) },
      messages: { counted: (_, message) => message.send() },
      checked: () => undefined,
      log: silentLog,
    });
    await this.app.listen();
  }
}
