import { retryUntil } from "../redis/retry.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { Log } from "../../shared/log/logger.js";
import type { DeliveryOutcome } from "../session/live-events/delivery-tally.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { DeadLetterReason, OutboxEvent, SessionOutbox, Webhook } from "../session/store/session-outbox.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import { pause } from "../../shared/flow/pause.js";
import type { Fence } from "../session/session-context.js";
import type { CurrentWebhook } from "./current-webhook.js";
import type { DeliveryParts, FencedWrite } from "./delivery-parts.js";
import { afterAttempt, afterTrouble, healthOf, planDelivery } from "./delivery-plan.js";
import type { Permit } from "./destination-gate.js";
import { destinationOf } from "./destination.js";
import { OutboxHead, type WaitingEvent } from "./outbox-head.js";
import { tenantTurn } from "./tenant-turn.js";
import { deliveryId } from "./trace-headers.js";

export interface DeliveryLoopOptions {
  readonly tenant: TenantName;
  readonly outbox: SessionOutbox;
  readonly current: CurrentWebhook;
  readonly write: FencedWrite;
  readonly fence: Fence;
  /** Aborts when the session leaves, or when its slot turns out to have another owner. */
  readonly end: AbortController;
  readonly onUnreadable: (record: UnreadableRecord) => void;
  readonly onOutcome: (outcome: DeliveryOutcome, events: number) => void;
  readonly log: Log;
}

/**
 * Sends the events of an outbox one at a time, the oldest until its receiver returns 2xx. Runs only while there is something to send.
 * delivery-plan.ts makes its decisions.
 */
export class DeliveryLoop {
  private running: Promise<void> | undefined;
  private rung = false;
  /** The front of the outbox, whose first event is being tried. */
  private readonly head: OutboxHead;
  private inFlight: AbortController | undefined;

  constructor(
    private readonly parts: DeliveryParts,
    private readonly options: DeliveryLoopOptions,
  ) {
    this.head = new OutboxHead(options.outbox);
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  /** The oldest waiting event that this process has read. */
  get first(): WaitingEvent | undefined {
    return this.head.first;
  }

  /** Called when events may wait. Does nothing while the loop runs. */
  wake(): void {
    this.rung = true;
    if (this.running !== undefined || this.options.end.signal.aborted) return;
    this.running = this.work().finally(() => {
      this.running = undefined;
      // Called in the very moment in which the loop ended.
      if (this.rung) this.wake();
    });
  }

  /** Ends the wait of the oldest event. Its attempts continue to count. */
  retryNow(): void {
    this.head.resume(this.head.attempts, 0);
    this.options.current.interrupt();
    this.wake();
  }

  /**
   * Restarts the oldest event under new settings. If its epoch ended, aborts a request to the former address and drops the events that
   * were read ahead.
   */
  restart(endsEpoch: boolean): void {
    this.head.restart();
    if (!endsEpoch) return;
    this.inFlight?.abort();
    this.head.drop();
  }

  /** Resolves when the loop has nothing to send. */
  async idle(): Promise<void> {
    await this.running;
  }

  /** To be called after `end` has aborted. A request in flight may take `closeMs` to end while the session is still ours. */
  async finish(): Promise<void> {
    if (this.running !== undefined && this.options.fence.holds()) await endsWithin(this.running, this.parts.timing.closeMs);
    this.inFlight?.abort();
    await this.running;
  }

  /** Never rejects. Ends when no event waits, the webhook is off or the session has left. */
  private async work(): Promise<void> {
    const { current, end } = this.options;
    while (!end.signal.aborted) {
      try {
        await current.changeOver();
        const webhook = current.stored ?? (await this.load());
        if (webhook === undefined) continue;
        if (webhook.settings.url === "") {
          this.rung = false;
          return;
        }
        const next = await this.oldest();
        if (next !== undefined) await this.deliver(next, webhook);
        else if (!this.rung) return;
      } catch (error) {
        if (end.signal.aborted) return;
        await this.recover(error);
      }
    }
  }

  private async recover(error: unknown): Promise<void> {
    const { current, end, onUnreadable, log } = this.options;
    const step = afterTrouble(error, this.parts.timing);
    if (step.kind === "end") {
      end.abort(error);
      return;
    }
    if (error instanceof UnreadableRecord) onUnreadable(error);
    else log.warn({ err: error }, "webhook delivery interrupted");
    await pause(step.ms, current.nextChange(), end.signal);
  }

  /** Returns `undefined` when the settings changed meanwhile: the new ones are known or read next. */
  private async load(): Promise<Webhook | undefined> {
    const { current, outbox } = this.options;
    const { version } = current;
    const { settings, epoch, head, attempts, waitMs } = await outbox.read();
    this.head.drop();
    const oldest = await this.oldest();
    const webhook = { settings, epoch };
    if (!current.adoptRead(version, webhook)) return undefined;
    if (oldest?.entry === head) this.head.resume(attempts, Math.min(waitMs, this.parts.timing.retryAfterMaxMs));
    else this.head.restart();
    return webhook;
  }

  private async oldest(): Promise<WaitingEvent | undefined> {
    if (this.head.first === undefined) {
      // A wake-up from now on means that this read may have come too early.
      this.rung = false;
      await this.head.read();
    }
    return this.head.first;
  }

  /** Makes one attempt at the oldest event, or ends the event without one. The next round finds whatever changes meanwhile. */
  private async deliver(event: WaitingEvent, webhook: Webhook): Promise<void> {
    const { attempts, waitMs } = this.head;
    const { epoch } = webhook;
    const step = planDelivery({ event, epoch, ageMs: this.parts.clock.ageOf(event.entry), attempts, waitMs }, this.parts.timing);
    switch (step.kind) {
      case "give-up":
        return this.giveUp(event, step.reason);
      case "forget":
        this.head.drop();
        return;
      case "wait":
        return pause(step.ms, this.options.current.nextChange(), this.options.end.signal);
      case "send":
        if ("body" in event) await this.send(event, webhook);
    }
  }

  private async send(event: OutboxEvent, webhook: Webhook): Promise<void> {
    const permit = await this.permit(destinationOf(webhook.settings.url));
    if (permit === undefined) return;
    const { current, end, fence } = this.options;
    if (current.isInForce(webhook) && !end.signal.aborted && fence.holds()) await this.attempt(event, webhook, permit);
    else permit.done("unspent");
  }

  /** Returns `undefined` when the settings changed first: the webhook may have another destination now. */
  private async permit(destination: string): Promise<Permit | undefined> {
    const { tenant, current, end } = this.options;
    const { gate, places } = this.parts;
    const scope = new AbortScope([current.nextChange(), end.signal]);
    try {
      return await tenantTurn(gate, places, { tenant, destination }, scope.signal);
    } catch {
      return undefined;
    } finally {
      scope.close();
    }
  }

  private async attempt(event: OutboxEvent, webhook: Webhook, permit: Permit): Promise<void> {
    const { post, metrics, timing, clock, failureLines } = this.parts;
    const { outbox, current, write, onOutcome, log } = this.options;
    const flight = new AbortController();
    this.inFlight = flight;
    const startedAt = performance.now();
    const result = await post.send(webhook.settings, event, flight.signal);
    this.inFlight = undefined;
    permit.done(healthOf(result));
    metrics.attempt(result.outcome, (performance.now() - startedAt) / 1_000);
    const step = afterAttempt(result, { attempts: this.head.attempts, current: current.stored === webhook }, timing);
    if (step.kind === "none") return;
    if (step.kind === "delivered") {
      metrics.delivered(clock.ageOf(event.entry) / 1_000);
      onOutcome("delivered", 1);
      return this.done(event.entry, () => outbox.delivered(event.entry));
    }
    const { attempts, delayMs, store } = step;
    onOutcome("failed", 1);
    const fields = { requestId: deliveryId(event), outcome: result.outcome, status: result.status, attempts };
    if (failureLines.take()) log.warn(fields, "webhook delivery failed");
    else log.debug(fields, "webhook delivery failed");
    this.head.resume(attempts, delayMs);
    if (store) await write(() => outbox.defer(event.entry, attempts, delayMs));
  }

  private async giveUp(event: WaitingEvent, reason: DeadLetterReason): Promise<void> {
    const { attempts } = this.head;
    await this.done(event.entry, () => this.options.outbox.deadLetter(event.entry, attempts, reason));
    const trace = "id" in event ? { requestId: deliveryId(event) } : {};
    this.options.log.warn({ ...trace, reason, attempts }, "webhook event moved to dead letters");
    this.parts.metrics.dead(reason, 1);
    this.options.onOutcome("dead", 1);
  }

  /** Stores that the event is done, and retries while the session is ours: an outcome that is lost means a repeated delivery. */
  private async done(entry: string, write: () => Promise<void>): Promise<void> {
    await retryUntil(() => this.options.write(write), this.options.end.signal);
    this.head.done(entry);
  }
}
