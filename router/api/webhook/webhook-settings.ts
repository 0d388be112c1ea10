import type { SessionId } from "../../../shared/contract/ids.js";
import type { WebhookSettings } from "../../../shared/contract/session.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { openWebhook } from "../../../shared/session/webhook-settings.js";

/** Most receivers kept. The first one in is evicted first. */
const openedMax = 10_000;

/** Opens sealed webhook settings and remembers the results, so that a polled record is opened once. */
export class WebhookSettingsReader {
  private readonly opened = new Map<string, WebhookSettings>();

  constructor(private readonly ring: KeyRing) {}

  /** `sealed`: as stored, empty when the webhook is off. */
  read(id: SessionId, sealed: string): WebhookSettings {
    if (sealed === "") return off;
    const key = `${id}${sealed}`;
    const cached = this.opened.get(key);
    if (cached !== undefined) return cached;
    const settings = openWebhook(this.ring, id, sealed);
    const [first] = this.opened.keys();
    if (first !== undefined && this.opened.size >= openedMax) this.opened.delete(first);
    this.opened.set(key, settings);
    return settings;
  }
}

const off: WebhookSettings = { url: "", token: "" };
