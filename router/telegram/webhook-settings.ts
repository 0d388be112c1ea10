import type { SessionId } from "../../shared/contract/ids.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import type { KeyRing } from "../../shared/crypto/key-ring.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { openWebhook } from "../../shared/session/webhook-settings.js";

/** Receivers of one busy router; the first one in is the first one out. */
const openedMax = 10_000;

/** Opens the sealed settings that stand with a session. A record that is polled costs the opening once. */
export class WebhookSettingsReader {
  private readonly opened = new Map<string, WebhookSettings>();

  constructor(private readonly ring: KeyRing) {}

  /** `sealed` as stored, empty when the webhook is off. */
  read(id: SessionId, sealed: string): WebhookSettings {
    if (sealed === "") return off;
    const key = `${id}${sealed}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const settings = this.open(id, sealed);
    const [first] = this.opened.keys();
    if (first !== undefined && this.opened.size >= openedMax) this.opened.delete(first);
    this.opened.set(key, settings);
    return settings;
  }

  /** Settings that do not open deliver nothing either; the rest of the record is there all the same. The owner reports them. */
  private open(id: SessionId, sealed: string): WebhookSettings {
    try {
      return openWebhook(this.ring, id, sealed);
    } catch (error) {
      if (error instanceof UnreadableRecord) return off;
      throw error;
    }
  }
}

const off: WebhookSettings = { url: "", token: "" };
