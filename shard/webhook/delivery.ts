import { sessionNotActive } from "../../shared/contract/errors.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "../../shared/contract/dead-letters.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import type { EventType } from "../../shared/contract/webhook-events.js";
import type { RetryOutput, TestEventOutput } from "../../shared/contract/webhook-trial.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import { FencedError } from "../../shared/redis/script.js";
import type { DeliveryOptions, EventDelivery } from "../session/event-delivery.js";
import type { SessionOutbox } from "../session/store/session-outbox.js";
import { CurrentWebhook } from "./current-webhook.js";
import { DeadLetters } from "./dead-letters.js";
import { DeliveryLoop } from "./delivery-loop.js";
import { RequestedTypes } from "./requested-types.js";
import { Trial } from "./trial.js";
import type { DeliveryParts } from "./delivery-parts.js";

/**
 * The webhook of one session while this process owns it: its settings, its delivery loop and its dead letters. A new owner reads all of
 * this from Redis.
 */
export class Delivery implements EventDelivery {
  private readonly end = new AbortController();
  private readonly current: CurrentWebhook;
  private readonly loop: DeliveryLoop;
  private readonly letters: DeadLetters;
  private readonly trial: Trial;
  private readonly requested: RequestedTypes;
  private ended: Promise<void> | undefined;

  constructor(
    private readonly parts: DeliveryParts,
    private readonly options: DeliveryOptions,
    private readonly onClosed: () => void,
  ) {
    const { tenant, outbox, fence, onUnreadable, onOutcome, log } = options;
    const { end } = this;
    const write = <T>(work: () => Promise<T>): Promise<T> => this.fenced(work);
    this.current = new CurrentWebhook({
      configure: (settings) => write(() => outbox.configure(settings)),
      onAdopted: ({ endsEpoch }) => this.loop.restart(endsEpoch),
    });
    this.loop = new DeliveryLoop(parts, { tenant, outbox, current: this.current, write, fence, end, onUnreadable, onOutcome, log });
    this.letters = new DeadLetters(outbox, write);
    this.trial = new Trial(outbox, write);
    this.requested = new RequestedTypes(this.current, async () => (await outbox.read()).settings);
  }

  /** Called when events may wait. */
  wake(): void {
    this.loop.wake();
  }

  /** Called when events were appended to the outbox. `overflowed` counts its oldest that became dead letters to make room. */
  appended(overflowed: number): void {
    if (overflowed > 0) {
      this.options.log.warn({ events: overflowed }, "webhook outbox full");
      this.parts.metrics.dead("full", overflowed);
      this.options.onOutcome("dead", overflowed);
    }
    this.wake();
  }

  requestedTypes(): ReadonlySet<EventType> | Promise<ReadonlySet<EventType>> {
    return this.requested.now();
  }

  /** Age in seconds of the oldest waiting event that this process has read; 0 when none waits. */
  get oldestSeconds(): number {
    const { first } = this.loop;
    return first === undefined ? 0 : this.parts.clock.ageOf(first.entry) / 1_000;
  }

  get busy(): boolean {
    return this.loop.busy;
  }

  get outbox(): SessionOutbox {
    return this.options.outbox;
  }

  refuses(url: string): Promise<boolean> {
    return this.parts.guard.refuses(new URL(url));
  }

  /** No request begins during the change, and turning off aborts the one in flight. */
  async set(settings: WebhookSettings, signal: AbortSignal): Promise<void> {
    try {
      await this.current.set(settings, signal);
    } finally {
      this.wake();
    }
  }

  listDeadLetters(query: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.letters.list(query);
  }

  async replayDeadLetters(requestId: string): Promise<ReplayOutput> {
    const replay = await this.letters.replay(requestId);
    if (replay.replayed > 0) this.options.onOutcome("replayed", replay.replayed);
    this.wake();
    return replay;
  }

  async retry(): Promise<RetryOutput> {
    const output = await this.trial.waiting();
    this.loop.retryNow();
    return output;
  }

  async sendTest(commandId: string, requestId: string): Promise<TestEventOutput> {
    const output = await this.trial.append(commandId, requestId);
    this.wake();
    return output;
  }

  async drained(): Promise<void> {
    await endsWithin(this.loop.idle(), this.parts.timing.closeMs);
  }

  /** Ends the request in flight: at once when the slot is lost, otherwise it gets a moment to finish. Idempotent. */
  close(): Promise<void> {
    this.ended ??= this.finish();
    return this.ended;
  }

  private async finish(): Promise<void> {
    this.end.abort(new DOMException("session has left", "AbortError"));
    this.current.interrupt();
    await this.loop.finish();
    this.onClosed();
  }

  private async fenced<T>(write: () => Promise<T>): Promise<T> {
    if (this.end.signal.aborted && !this.options.fence.holds()) throw sessionNotActive();
    try {
      return await write();
    } catch (error) {
      if (error instanceof FencedError) this.options.onFenced();
      throw error;
    }
  }
}
