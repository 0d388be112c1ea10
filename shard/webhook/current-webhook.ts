import { retryUntil } from "../redis/retry.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import { sessionNotFound } from "../../shared/contract/errors.js";
import type { Webhook } from "../session/store/session-outbox.js";
import { Notifier } from "../flow/notifier.js";
import { endsEpoch } from "./delivery-plan.js";

export interface CurrentWebhookOptions {
  /** Writes the settings to Redis; `undefined` when the session is gone. May be repeated. */
  configure(settings: WebhookSettings): Promise<Webhook | undefined>;
  /** New settings are in force. */
  onAdopted(change: { readonly endsEpoch: boolean }): void;
}

/** The webhook settings of one session as far as this process knows them. The moment from which new ones count is the one in Redis. */
export class CurrentWebhook {
  private webhook: Webhook | undefined;
  /** The settings are about to change: no request starts before that is done. */
  private changing: Promise<unknown> | undefined;
  private readonly changed = new Notifier();
  private changes = 0;

  constructor(private readonly options: CurrentWebhookOptions) {}

  /** As Redis has it; `undefined` while that is not known. */
  get known(): Webhook | undefined {
    return this.webhook;
  }

  /** Counts changes: what was read from Redis meanwhile may be older than the change. */
  get version(): number {
    return this.changes;
  }

  /** True while these are the settings, and no others are about to be. */
  isInForce(webhook: Webhook): boolean {
    return this.webhook === webhook && this.changing === undefined;
  }

  /** Aborts with the next change, or when the session leaves. For the one loop that waits. */
  nextChange(): AbortSignal {
    return this.changed.next();
  }

  async changeOver(): Promise<void> {
    await this.changing?.catch(() => undefined);
  }

  /** What was read while `version` was this one. False when the settings changed meanwhile: then the read ones are the former. */
  adoptRead(version: number, webhook: Webhook): boolean {
    if (this.changes !== version) return false;
    this.webhook = webhook;
    return true;
  }

  /** One change at a time; no request begins around it. */
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
      // It may have arrived all the same.
      this.forget();
      throw error;
    } finally {
      this.changing = undefined;
      this.changed.notify();
    }
  }

  /** Whoever waits for a change looks again: the session leaves, or the event that waits is to go out now. */
  interrupt(): void {
    this.changed.notify();
  }

  private forget(): void {
    this.changes += 1;
    this.webhook = undefined;
  }
}
