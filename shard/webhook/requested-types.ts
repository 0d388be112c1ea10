import { defaultEventTypes, type EventType } from "../../shared/contract/webhook-events.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import type { CurrentWebhook } from "./current-webhook.js";

/** The types of events that a session's receiver gets. Settings that the delivery has not read yet are read once. */
export class RequestedTypes {
  private settings: WebhookSettings | undefined;
  private version = -1;
  private types: ReadonlySet<EventType> = new Set();

  /** `read` reads the settings from Redis. */
  constructor(
    private readonly current: Pick<CurrentWebhook, "stored" | "version" | "isChanging" | "changeOver">,
    private readonly read: () => Promise<WebhookSettings>,
  ) {}

  /** Returns an empty set while the webhook is off. A promise while the settings are read or changed; it rejects like the read. */
  now(): ReadonlySet<EventType> | Promise<ReadonlySet<EventType>> {
    const { stored, version, isChanging } = this.current;
    if (isChanging) return this.current.changeOver().then(() => this.now());
    if (stored !== undefined) {
      if (stored.settings !== this.settings) this.adopt(stored.settings, version);
      return this.types;
    }
    return this.version === version ? this.types : this.load(version);
  }

  private async load(version: number): Promise<ReadonlySet<EventType>> {
    const settings = await this.read();
    // Settings that were read during a change may be older than the change.
    if (version === this.current.version) this.adopt(settings, version);
    return await this.now();
  }

  private adopt(settings: WebhookSettings, version: number): void {
    this.settings = settings;
    this.version = version;
    this.types = new Set(settings.url === "" ? [] : (settings.events ?? defaultEventTypes));
  }
}
