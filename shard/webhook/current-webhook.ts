import { retryUntil } from "../redis/retry.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import { sessionNotFound } from "../../shared/contract/errors.js";
import type { Webhook } from "../session/store/session-outbox.js";
import type { Ending } from "../../shared/flow/ending.js";
import { Notifier } from "../flow/notifier.js";
import { endsEpoch } from "./delivery-plan.js";

export interface CurrentWebhookOptions {
  /** Writes the settings to Redis; returns `undefined` when the session is gone. May be repeated. */
  configure(settings: WebhookSettings): Promise<Webhook | undefined>;
  /** Called when new settings are in force. */
  onAdopted(change: { readonly endsEpoch: boolean }): void;
}

/** The webhook settings of one session, as this process knows them. New settings count from the moment in which Redis stores them. */
export class CurrentWebhook {
  private webhook: Webhook | undefined;
  /** Set while the settings are about to change: no request starts before the change is done. */
  private changing: Promise<unknown> | undefined;
  private readonly changed = new Notifier();
  private changes = 0;

  constructor(private readonly options: CurrentWebhookOptions) {}

  /** The settings in Redis; `undefined` while they are not known. */
  get stored(): Webhook | undefined {
    return this.webhook;
  }

  /** Counts changes: settings that were read from Redis during a change may be older than the change. */
  get version(): number {
    return this.changes;
  }

  /** True while these settings are in force and no change is pending. */
  isInForce(webhook: Webhook): boolean {
    return this.webhook === webhook && this.changing === undefined;
  }

  /** Returns a signal that aborts at the next change, or when the session leaves. Only one loop may wait for it. */
  nextChange(): Ending {
    return this.changed.next();
  }

  /** True while a change is on its way to Redis. */
  get isChanging(): boolean {
    return this.changing !== undefined;
  }

  async changeOver(): Promise<void> {
    await this.changing?.catch(() => undefined);
  }

  /** Adopts settings that were read at `version`. Returns false when the settings changed meanwhile: the read ones are then stale. */
  adoptRead(version: number, webhook: Webhook): boolean {
    if (this.changes !== version) return false;
    this.webhook = webhook;
    return true;
  }

  /** Makes one change at a time. No request begins during a change. */
  async set(settings: WebhookSettings, signal: AbortSignal): Promise<void> {
    while (this.changing !== undefined) await this.changing.catch(() => undefined);
    const before = this.webhook;
    this.forget();
    const changing = retryUntil(() => this.options.configure(settings), signal);
    this.changing = changing;
    try {
      const after = await changing;
      if (after === undefined) throw sessionNotFound();
      this.changes += 1;
      this.webhook = after;
      this.options.onAdopted({ endsEpoch: endsEpoch(before, after) });
    } catch (error) {
      // Redis may have stored the change all the same.
      this.forget();
      throw error;
    } finally {
      this.changing = undefined;
      this.changed.notify();
    }
  }

  /** Wakes the loop that waits for a change: the session leaves, or the waiting event must go out now. */
  interrupt(): void {
    this.changed.notify();
  }

  private forget(): void {
    this.changes += 1;
    this.webhook = undefined;
  }
}
